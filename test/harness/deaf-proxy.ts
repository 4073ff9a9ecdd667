import { connect, createServer, type Socket } from 'node:net';

const LISTEN = 'listen posthouse';
/** Statement of the same length, so that the message that contains it stays valid. */
const NOTHING = 'select 123456789';

/** Opens a proxy of a PostgreSQL server in which LISTEN has no effect, as behind a pooler in transaction mode. */
export async function openDeafProxy(databaseUrl: string) {
  const url = new URL(databaseUrl);
  const port = Number(url.port);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    for (const socket of [client, upstream]) sockets.add(socket.on('error', () => {}));
    client.on('data', (chunk) => {
      upstream.write(Buffer.from(chunk.toString('latin1').replace(LISTEN, NOTHING), 'latin1'));
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    upstream.pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  url.hostname = '127.0.0.1';
  url.port = String(typeof address === 'object' ? address?.port : 0);
  return {
    url: url.href,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
