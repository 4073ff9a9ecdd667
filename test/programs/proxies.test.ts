import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { BACKENDS, freshDirectory, freshSettings } from '../harness/backends.ts';
import { filesOf } from '../harness/files.ts';
import { MULTIPART_TYPE, multipart } from '../harness/multipart.ts';
import { freePort } from '../harness/peers.ts';
import { addPerson, type Posthouse, startPosthouse } from '../harness/posthouse.ts';
import { startProgram, testWith } from '../harness/programs.ts';

const MB = 1_048_576;
/** Bytes of one write. */
const PIECE = 65_536;
/** The result of a request whose connection ended without a response. */
const LOST = 'lost';
const operation = await Bun.file(join(import.meta.dir, '../../docs/operation.md')).text();

interface Proxy {
  /** The name of the program, and of its section in the documentation. */
  program: string;
  section: string;
  /** Adapts the documented configuration to this test. */
  adapt(configuration: string, port: number, directory: string): string;
  command(file: string): string[];
  /** Whether it resets the connection of a request with `Connection: close` whose body it has not read. */
  resets?: true;
}

const PROXIES: Proxy[] = [
  {
    program: 'nginx',
    section: 'nginx',
    adapt: (configuration, port, directory) => `
      daemon off; pid ${directory}/pid; error_log stderr; events {}
      http { access_log off; client_body_temp_path ${directory}/body; proxy_temp_path ${directory}/proxy;
      ${configuration.replace('443 ssl', `127.0.0.1:${port}`)} }`,
    command: (file) => ['-c', file, '-e', 'stderr'],
  },
  {
    program: 'haproxy',
    section: 'HAProxy',
    adapt: (configuration, port) => configuration.replace(/bind .*/, `bind 127.0.0.1:${port}`),
    command: (file) => ['-f', file],
  },
  {
    program: 'caddy',
    section: 'Caddy',
    adapt: (configuration, port) =>
      `{\n admin off\n}\n${configuration.replace('files.example.org', `http://127.0.0.1:${port}`)}`,
    command: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
    resets: true,
  },
  {
    program: 'apache2',
    section: 'Apache',
    adapt: (configuration, port, directory) => `
      ServerRoot ${directory}
      ServerName localhost
      PidFile ${directory}/pid
      ErrorLog ${directory}/error.log
      Listen 127.0.0.1:${port}
      ${['mpm_event', 'authz_core', 'proxy', 'proxy_http']
        .map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`)
        .join('\n')}
      ${configuration.replace('*:443', `127.0.0.1:${port}`)}`,
    command: (file) => ['-f', file, '-DFOREGROUND'],
  },
];

describe('configured as documented,', () => {
  let posthouse: Posthouse;
  let headers: Record<string, string>;

  beforeAll(async () => {
    const settings = { ...(await freshSettings(BACKENDS[0])), POSTHOUSE_MAX_FILE_BYTES: String(4 * MB) };
    posthouse = await startPosthouse(settings);
    ({ headers } = await addPerson(settings, 'ada@example.org'));
  });
  afterAll(() => posthouse.stop());

  testWith('apache2', 'can answer a refused upload of more than 64 MB with its own 502', async () => {
    const apache = PROXIES.find(({ program }) => program === 'apache2');
    if (!apache) throw new Error('Apache is missing in the list');
    await using started = await start(apache, new URL(posthouse.url).host);
    const body = new Uint8Array(100 * MB);
    const url = new URL('/api/storage/files/root', started.url);
    const fields = { 'Content-Type': MULTIPART_TYPE, 'Content-Length': String(body.length) };
    expect(['502 without a code', '401 login_required']).toContain(await refusalOf(url, fields, body));
  });

  for (const proxy of PROXIES) {
    testWith(proxy.program, 'passes refusals of bodies that are still on their way', async () => {
      await using started = await start(proxy, new URL(posthouse.url).host);
      const form = { 'Content-Type': MULTIPART_TYPE };
      const body = multipart([{ name: 'file', value: new Uint8Array(40 * MB), fileName: 'a.bin' }]);
      const requests: [expected: string, path: string, fields: Record<string, string>][] = [
        ['401 login_required', '/api/storage/files/root', form],
        ['413 file_too_large', '/api/storage/files/root', { ...form, ...headers }],
        ['413 body_too_large', '/requestemail', { 'Content-Type': 'application/json' }],
      ];
      for (const connection of ['keep-alive', 'close']) {
        for (const framing of ['Content-Length', 'Transfer-Encoding'] as const) {
          const common = {
            Connection: connection,
            [framing]: framing === 'Content-Length' ? String(body.length) : 'chunked',
          };
          for (const [expected, path, fields] of requests) {
            const refusal = await refusalOf(new URL(path, started.url), { ...common, ...fields }, body);
            if (refusal === LOST && connection === 'close' && proxy.resets) continue;
            expect([connection, framing, refusal]).toEqual([connection, framing, expected]);
          }
        }
      }
    });

    testWith(proxy.program, 'passes uploads and ranges, and its own name', async () => {
      await using started = await start(proxy, new URL(posthouse.url).host);
      const files = filesOf(
        { ...posthouse, fetch: (path, init) => fetch(`${started.url}${path}`, init) },
        headers,
      );
      const content = crypto.getRandomValues(new Uint8Array(65_536));
      const { id } = await files.upload(content, { name: 'ü & "x".bin' });
      const part = await fetch(`${started.url}/api/storage/files/${id}/content`, {
        headers: { ...headers, Range: 'bytes=65530-' },
      });
      expect([part.status, part.headers.get('Content-Range')]).toEqual([206, 'bytes 65530-65535/65536']);
      expect(await part.bytes()).toEqual(content.subarray(65_530));
      // A wrong `Host` would lead the sign-in elsewhere, and metrics are not for visitors of a proxy.
      expect((await fetch(`${started.url}/metrics`)).status).toBe(403);
    });
  }
});

/**
 * Sends a request on a new connection until a response arrives, and returns its status with its code. Unlike `fetch`,
 * it can send `Connection: close` and chunks.
 */
async function refusalOf(url: URL, fields: Record<string, string>, body: Uint8Array): Promise<string> {
  const socket = connect(Number(url.port), url.hostname);
  let received = '';
  const { promise: answered, resolve } = Promise.withResolvers<void>();
  socket.on('data', (data) => {
    received += data.toString('latin1');
    if (/\r\n\r\n[\s\S]*[}>]\s*$/.test(received)) resolve();
  });
  // A proxy may reset the connection of a request that it did not read to its end.
  socket.on('error', () => {});
  socket.once('close', () => resolve());
  const lines = Object.entries({ Host: url.host, ...fields }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST ${url.pathname} HTTP/1.1\r\n${lines.join('')}\r\n`);
  const isChunked = 'Transfer-Encoding' in fields;
  for (let at = 0; at < body.length && received === '' && !socket.destroyed; at += PIECE) {
    const piece = body.subarray(at, at + PIECE);
    if (isChunked) socket.write(`${piece.length.toString(16)}\r\n`);
    const hasRoom = socket.write(piece);
    if (isChunked) socket.write('\r\n');
    if (!hasRoom) await Promise.race([once(socket, 'drain').catch(() => {}), answered]);
  }
  if (isChunked && received === '') socket.write('0\r\n\r\n');
  await answered;
  socket.destroy();
  const [, status] = /^HTTP\/1\.1 (\d+)/.exec(received) ?? [];
  const [, code = 'without a code'] = /"code":"(\w+)"/.exec(received) ?? [];
  return status ? `${status} ${code}` : LOST;
}

/** Starts a proxy with its documented configuration in front of `upstream`. */
async function start({ program, section, adapt, command }: Proxy, upstream: string) {
  const documented = new RegExp(`^${section}[^\n]*:\n\n\`\`\`text\n([^]*?)\`\`\``, 'm').exec(operation)?.[1];
  const directory = freshDirectory();
  const port = await freePort();
  const file = join(directory, 'configuration');
  await Bun.write(file, adapt((documented ?? '').replaceAll('127.0.0.1:4000', upstream), port, directory));
  const url = `http://127.0.0.1:${port}`;
  const running = await startProgram(
    [program, ...command(file)],
    directory,
    async () => (await fetch(`${url}/Ping`).catch(() => null))?.ok === true,
  );
  return { url, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() };
}
