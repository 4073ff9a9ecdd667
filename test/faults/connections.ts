import { connect, type Socket } from 'node:net';

/** Closes the connections that a function has opened. */
type Close = () => Promise<void>;

const OPENED_AT_ONCE = 200;
const PACE_MS = 100;
/** Bytes that a slow reader or writer passes in `PACE_MS`. */
const PIECE = 4_096;
const SLOW_BYTES = 4_000_000;

/** Opens connections that send nothing. */
export async function openIdle(urls: readonly string[], count: number): Promise<Close> {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const more = Array.from({ length: Math.min(OPENED_AT_ONCE, count - sockets.length) }, (_, index) =>
      open(urls[index % urls.length] ?? ''),
    );
    sockets.push(...(await Promise.all(more)));
  }
  return closeAll(sockets);
}

/** Starts downloads that are read slowly, `PIECE` bytes per `PACE_MS`. @param head path, version and header fields */
export async function openReaders(urls: readonly string[], count: number, head: string): Promise<Close> {
  const sockets = await Promise.all(
    Array.from({ length: count }, (_, index) => open(urls[index % urls.length] ?? '')),
  );
  const timers = new Set<Timer>();
  for (const socket of sockets) {
    socket.on('data', ({ length }) => {
      socket.pause();
      const timer = setTimeout(
        () => {
          timers.delete(timer);
          socket.resume();
        },
        (length / PIECE) * PACE_MS,
      );
      timers.add(timer);
    });
    socket.write(`GET ${head}\r\n\r\n`);
  }
  return closeAll(sockets, timers);
}

/** Starts uploads that are sent slowly. @param head path, version and header fields */
export async function openWriters(urls: readonly string[], count: number, head: string): Promise<Close> {
  const sockets = await Promise.all(
    Array.from({ length: count }, (_, index) => open(urls[index % urls.length] ?? '')),
  );
  const timers = sockets.map((socket) => {
    socket.resume();
    socket.write(`POST ${head}\r\nContent-Length: ${SLOW_BYTES}\r\n\r\n`);
    return setInterval(() => socket.writable && socket.write(Buffer.alloc(PIECE)), PACE_MS);
  });
  return closeAll(sockets, timers);
}

async function open(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  // The server may close the connection at any time.
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
  return socket;
}

function closeAll(sockets: readonly Socket[], timers: Iterable<Timer> = []): Close {
  return async () => {
    for (const timer of timers) clearTimeout(timer);
    for (const socket of sockets) socket.destroy();
  };
}
