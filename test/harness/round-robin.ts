import { connect, createServer, type Socket } from 'node:net';
import { listen } from './listen.ts';

const END_OF_HEAD = Buffer.from('\r\n\r\n');
/** Longer heads are passed on as they are. */
const HEAD_KEPT = 65_536;

interface RoundRobin {
  url: string;
  port: number;
  close(): Promise<void>;
}

/**
 * Opens a TCP proxy on 127.0.0.1 that passes each connection to the next of `hosts` that accepts it, at its
 * own port, and closes connections that none accepts. It adds `Connection: close` to the first request of a
 * connection, so that each request goes to another node than the one before.
 */
export async function openRoundRobin(hosts: readonly string[]): Promise<RoundRobin> {
  const sockets = new Set<Socket>();
  let next = 0;
  const server = createServer({ allowHalfOpen: true }, async (client) => {
    sockets.add(client);
    // An early error without a listener would end the process.
    client.on('error', () => {});
    const upstream = await connectToNext();
    if (!upstream) return void client.destroy();
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroySoon();
      });
    }
    passFirstHead(client, upstream);
    upstream.pipe(client);
  });

  async function connectToNext(): Promise<Socket | null> {
    for (const _ of hosts) {
      const host = hosts[next++ % hosts.length];
      const upstream = connect({ port, host, allowHalfOpen: true });
      const isConnected = await new Promise((resolve) => {
        upstream.once('connect', () => resolve(true)).once('error', () => resolve(false));
      });
      if (isConnected) return upstream;
    }
    return null;
  }

  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Passes on the bytes of the client, with `Connection: close` in its first head. */
function passFirstHead(client: Socket, upstream: Socket): void {
  let head = Buffer.alloc(0);
  const passOn = (bytes: Buffer) => {
    client.off('data', gather);
    client.off('end', end);
    upstream.write(bytes);
    client.pipe(upstream);
  };
  const gather = (chunk: Buffer) => {
    head = Buffer.concat([head, chunk]);
    const length = head.indexOf(END_OF_HEAD);
    if (length >= 0) passOn(closing(head, length));
    else if (head.length > HEAD_KEPT) passOn(head);
  };
  const end = () => upstream.end(head);
  client.on('data', gather);
  client.on('end', end);
}

function closing(bytes: Buffer, length: number): Buffer {
  const lines = bytes.toString('latin1', 0, length).split('\r\n');
  const others = lines.filter((line) => !/^connection:/i.test(line));
  // The upgrade of a connection, if any, is left out as well.
  const head = [...others, 'Connection: close'].join('\r\n');
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes.subarray(length)]);
}
