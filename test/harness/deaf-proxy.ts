import { openTcpProxy } from './tcp-proxy.ts';

const LISTEN = 'listen posthouse';
/** Statement of the same length, so that the message that contains it stays valid. */
const NOTHING = 'select 123456789';

/** Opens a proxy of a PostgreSQL server in which LISTEN has no effect, as behind a pooler in transaction mode. */
export async function openDeafProxy(databaseUrl: string) {
  const url = new URL(databaseUrl);
  const { port, close } = await openTcpProxy(Number(url.port), (client, upstream) => {
    client.on('data', (chunk) => {
      upstream.write(Buffer.from(chunk.toString('latin1').replace(LISTEN, NOTHING), 'latin1'));
    });
    client.on('close', () => upstream.destroy());
    upstream.pipe(client);
  });
  return { url: Object.assign(url, { hostname: '127.0.0.1', port: String(port) }).href, close };
}
