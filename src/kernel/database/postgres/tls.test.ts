import { beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { Client } from 'pg';
import { freshPostgres } from '../../../../test/harness/backends.ts';
import { afterFile } from '../../../../test/harness/cleanup.ts';
import { openTcpProxy } from '../../../../test/harness/tcp-proxy.ts';
import { encryptionOf } from './client.ts';
import { openPostgres } from './postgres.ts';

const CERTIFICATES = join(import.meta.dir, '../../../../test/stand-ins/certificates');
const fileOf = (name: string) => join(CERTIFICATES, name);

/** Writes a file into the data directory of the server, as its user. */
async function writeServerFile(client: Client, name: string, from: string): Promise<void> {
  const lines = readFileSync(fileOf(from), 'utf8').trim().split('\n');
  const values = lines.map((line, index) => `(${index}, '${line}')`).join(', ');
  await client.query(
    `copy (select line from (values ${values}) as given (number, line) order by number)
    to program 'umask 077; cat > ${name}'`,
  );
}

/** Serves the database at `url` at another address; returns the port. @param isPlain refuses TLS */
async function serveAt(hostname: string, url: URL, isPlain: boolean): Promise<string> {
  const pass: Parameters<typeof openTcpProxy>[1] = (client, upstream) => {
    client.on('close', () => upstream.destroy());
    upstream.pipe(client);
    if (!isPlain) return void client.pipe(upstream);
    client.once('data', (request) => {
      // The response to SSLRequest (https://www.postgresql.org/docs/current/protocol-flow.html).
      if (request.length === 8) client.write('N');
      else upstream.write(request);
      client.pipe(upstream);
    });
  };
  const { port, close } = await openTcpProxy(Number(url.port), pass, hostname);
  afterFile(close);
  return String(port);
}

describe('TLS to PostgreSQL', () => {
  let url: URL;
  beforeAll(async () => {
    url = new URL(await freshPostgres());
    const client = new Client({ connectionString: url.href });
    await client.connect();
    await writeServerFile(client, 'server.crt', 'localhost.pem');
    await writeServerFile(client, 'server.key', 'localhost.key');
    await writeServerFile(client, 'root.crt', 'stranger.pem');
    await client.query(`alter system set ssl = on`);
    await client.query(`alter system set ssl_ca_file = 'root.crt'`);
    await client.query('select pg_reload_conf()');
    await client.end();
  });

  const withParameters = (parameters: Record<string, string>, hostname = 'localhost', port = url.port) => {
    const address = Object.assign(new URL(url), { hostname, port });
    address.search = new URLSearchParams(parameters).toString();
    return address.href;
  };
  const protocolWith = (...given: Parameters<typeof withParameters>) =>
    encryptionOf(withParameters(...given));
  const own = { sslrootcert: fileOf('localhost.pem') };

  test.each([
    [{}, null],
    [{ sslmode: 'disable' }, null],
    [{ sslmode: 'prefer' }, 'TLSv1.3'],
    [{ sslmode: 'require' }, 'TLSv1.3'],
    [{ sslmode: 'require', ...own }, 'TLSv1.3'],
    [{ sslmode: 'verify-ca', ...own }, 'TLSv1.3'],
    [{ sslmode: 'verify-full', ...own }, 'TLSv1.3'],
    [{ sslmode: 'verify-full', ...own, sslnegotiation: 'direct' }, 'TLSv1.3'],
  ] as [Record<string, string>, string | null][])(
    'with %j, the connection has %p',
    async (parameters, protocol) => {
      expect(await protocolWith(parameters)).toBe(protocol);
    },
  );

  const strangers = { sslrootcert: fileOf('stranger.pem') };
  test.each([
    [{ sslmode: 'require', ...strangers }],
    [{ sslmode: 'verify-ca', ...strangers }],
    [{ sslmode: 'verify-full', ...strangers }],
    [{ sslmode: 'verify-full' }],
    [{ sslmode: 'verify-full', sslrootcert: 'system' }],
  ] as [Record<string, string>][])(
    'with %j, the certificate of another authority is refused',
    async (parameters) => {
      await expect(protocolWith(parameters)).rejects.toThrow(/certificate/);
    },
  );

  test('only verify-full refuses the certificate of another host', async () => {
    const host = '127.0.0.2';
    const port = await serveAt(host, url, false);
    const full = protocolWith({ sslmode: 'verify-full', ...own }, host, port);
    await expect(full).rejects.toThrow(host);
    expect(await protocolWith({ sslmode: 'verify-ca', ...own }, host, port)).toBe('TLSv1.3');
  });

  test('only prefer accepts a server without TLS', async () => {
    const at = ['127.0.0.1', await serveAt('127.0.0.1', url, true)] as const;
    expect(await protocolWith({ sslmode: 'prefer' }, ...at)).toBeNull();
    await expect(protocolWith({ sslmode: 'require' }, ...at)).rejects.toThrow('SSL');
  });

  test('a client certificate is presented', async () => {
    const client = { sslcert: fileOf('stranger.pem'), sslkey: fileOf('stranger.key') };
    const database = openPostgres(withParameters({ sslmode: 'verify-full', ...own, ...client }));
    const { rows } = await sql<{ name: string | null }>`
      select client_dn as name from pg_stat_ssl where pid = pg_backend_pid()`.execute(database.read);
    await database.close();
    expect(rows[0]?.name).toContain('CN=');
  });
});
