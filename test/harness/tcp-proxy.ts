import { connect, createServer, type Socket } from 'node:net';
import { listen } from './listen.ts';

export interface TcpProxy {
  port: number;
  /** Closes all connections. */
  cut(): void;
  /** Closes all connections, and refuses new ones. */
  close(): Promise<void>;
}

/**
 * Opens a TCP proxy of a port on loopback. Connections that the server closes are closed to their clients.
 * @param pass passes the bytes of a new connection in both directions
 */
export async function openTcpProxy(
  target: number,
  pass: (client: Socket, upstream: Socket) => void,
  host?: string,
): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const socket of [client, upstream])
      sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)));
    upstream.on('close', () => client.destroy());
    pass(client, upstream);
  });
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: await listen(server, 0, host),
    cut,
    async close() {
      cut();
      await new Promise((closed) => server.close(closed));
    },
  };
}
