import { headOf } from './request.ts';

/** Downloads that are read slowly. */
export interface SlowReading {
  port: number;
  path: string;
  /** Number of concurrent connections. */
  readers: number;
  /** Time for which they read, ms. */
  ms: number;
  /** Number of bytes between two pauses of a connection. */
  atOnce: number;
}

const PAUSE_MS = 200;

/** Returns the received bytes, and how many downloads finished. @throws Error when a response is not 200 */
export async function readSlowly({
  port,
  path,
  readers,
  ms,
  atOnce,
}: SlowReading): Promise<{ bytes: number; finished: number }> {
  let bytes = 0;
  let finished = 0;
  let isOver = false;
  const { promise: failed, reject } = Promise.withResolvers<never>();
  failed.catch(() => {});
  const sockets = await Promise.all(
    Array.from({ length: readers }, () => {
      let sincePause = 0;
      let isHead = true;
      return Bun.connect({
        hostname: '127.0.0.1',
        port,
        socket: {
          open: (socket) => void socket.write(headOf(`GET ${path}`)),
          data(socket, chunk) {
            if (isHead && !chunk.subarray(0, 12).equals(Buffer.from('HTTP/1.1 200'))) {
              reject(new Error(`a slow download was answered with ${chunk.toString('latin1', 0, 200)}`));
            }
            isHead = false;
            bytes += chunk.byteLength;
            sincePause += chunk.byteLength;
            if (sincePause < atOnce) return;
            sincePause = 0;
            socket.pause();
            setTimeout(() => {
              if (!isOver) socket.resume();
            }, PAUSE_MS);
          },
          close() {
            if (!isOver) finished++;
          },
          error: (_, error) => reject(error),
        },
      });
    }),
  );
  await Promise.race([Bun.sleep(ms), failed]);
  isOver = true;
  for (const socket of sockets) socket.terminate();
  return { bytes, finished };
}
