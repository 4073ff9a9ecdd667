import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { join } from 'node:path';
import { BACKENDS, freshDirectory, freshSettings } from '../harness/backends.ts';
import { filesOf } from '../harness/files.ts';
import { MULTIPART_TYPE, multipart } from '../harness/multipart.ts';
import { freePort } from '../harness/peers.ts';
import { addPerson, type Posthouse, startPosthouse } from '../harness/posthouse.ts';
import { startProgram, testWith } from '../harness/programs.ts';

const MB = 1_048_576;
const operation = await Bun.file(join(import.meta.dir, '../../docs/operation.md')).text();

interface Proxy {
  /** The name of the program, and of its section in the documentation. */
  program: string;
  section: string;
  /** Adapts the documented configuration to this test. */
  adapt(configuration: string, port: number, directory: string): string;
  command(file: string): string[];
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

  for (const proxy of PROXIES) {
    testWith(proxy.program, 'passes refusals of bodies that are still on their way', async () => {
      await using started = await start(proxy, new URL(posthouse.url).host);
      const body = multipart([{ name: 'file', value: new Uint8Array(40 * MB), fileName: 'a.bin' }]);
      const send = async (path: string, more: Record<string, string>) => {
        const answer = await fetch(`${started.url}${path}`, {
          method: 'POST',
          headers: { 'Content-Type': MULTIPART_TYPE, ...more },
          body,
        });
        return [answer.status, ((await answer.json()) as { code: string }).code];
      };
      const answers = [
        await send('/api/storage/files/root', {}),
        await send('/api/storage/files/root', headers),
        await send('/requestemail', { 'Content-Type': 'application/json' }),
      ];
      expect(answers).toEqual([
        [401, 'login_required'],
        [413, 'file_too_large'],
        [413, 'body_too_large'],
      ]);
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
