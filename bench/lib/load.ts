import type { Socket } from 'bun';

/** Requests to one side of a comparison. */
export interface Load {
  port: number;
  connections: number;
  /** Number of requests, distributed over the connections. */
  requests: number;
  /** Time after which no more requests are sent. */
  seconds?: number;
  /** Returns the head of request number `index`, including the empty line. */
  head(index: number): string;
  /** Sent after every head. */
  body?: Uint8Array;
  /** Required status of every response. */
  expect: number;
}

export interface Outcome {
  seconds: number;
  requestsPerSecond: number;
  /** Bytes of the response bodies. */
  bytesReceived: number;
  /** Times from sending each request to the end of its response, ms. */
  times: readonly number[];
}

/**
 * Sends requests over persistent raw connections, and reads and discards the responses:
 * a client with little overhead, so that the server is measured.
 * @throws Error when a response has another status or a connection fails
 */
export async function run({
  port,
  connections,
  requests,
  seconds: limit = Number.POSITIVE_INFINITY,
  head,
  body,
  expect,
}: Load): Promise<Outcome> {
  let next = 0;
  let bytesReceived = 0;
  const times: number[] = [];
  const started = performance.now();

  async function connection(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let pending: Uint8Array | null = null;
    let left = 0;
    let header = '';
    let sentAt = 0;

    const send = (socket: Socket): void => {
      if (next >= requests || performance.now() - started >= limit * 1_000) {
        // A requested close is not a failure.
        resolve();
        socket.end();
        return;
      }
      header = '';
      left = -1;
      sentAt = performance.now();
      socket.write(head(next++));
      pending = body ?? null;
      flush(socket);
    };
    const flush = (socket: Socket): void => {
      while (pending && pending.byteLength > 0) {
        const written = socket.write(pending);
        pending = pending.subarray(written);
        if (written === 0) return;
      }
      pending = null;
    };

    await Bun.connect({
      hostname: '127.0.0.1',
      port,
      socket: {
        open: send,
        drain: flush,
        data(socket, chunk) {
          let size = chunk.byteLength;
          if (left < 0) {
            header += chunk.toString('latin1');
            const end = header.indexOf('\r\n\r\n');
            if (end < 0) return;
            const status = Number(header.slice(9, 12));
            if (status !== expect) {
              reject(
                new Error(`an answer has status ${status} instead of ${expect}: ${header.slice(0, 600)}`),
              );
              socket.end();
              return;
            }
            left = Number(/\r\ncontent-length: *(\d+)/i.exec(header.slice(0, end + 2))?.[1] ?? 0);
            size = header.length - end - 4;
          }
          left -= size;
          bytesReceived += size;
          if (left > 0) return;
          times.push(performance.now() - sentAt);
          send(socket);
        },
        close: () => reject(new Error('the connection was closed')),
        error: (_, error) => reject(error),
      },
    });
    await promise;
  }

  await Promise.all(Array.from({ length: connections }, connection));
  const seconds = (performance.now() - started) / 1000;
  return { seconds, requestsPerSecond: times.length / seconds, bytesReceived, times };
}

/**
 * Returns the time from a request to the first byte of its response, ms, and closes the connection: the whole response
 * may take long. @throws Error when the response is not 200
 */
export async function firstByte(port: number, head: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const started = performance.now();
  await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      open: (socket) => void socket.write(head),
      data(socket, chunk) {
        const status = chunk.toString('latin1', 9, 12);
        if (status === '200') resolve(performance.now() - started);
        else reject(new Error(`an answer has status ${status} instead of 200`));
        socket.terminate();
      },
      close: () => reject(new Error('the connection was closed')),
      error: (_, error) => reject(error),
    },
  });
  return await promise;
}
