import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { BACKENDS, freshDirectory, freshSettings } from './harness/backends.ts';
import { MULTIPART_TYPE, multipart } from './harness/multipart.ts';
import { addPerson, type Posthouse, startPosthouse } from './harness/posthouse.ts';
import { until } from './harness/until.ts';

const MB = 1_048_576;
const operation = await Bun.file(join(import.meta.dir, '../docs/operation.md')).text();

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
];

describe('refusals of bodies that are still on their way', () => {
  let posthouse: Posthouse;
  let headers: Record<string, string>;

  beforeAll(async () => {
    const settings = { ...(await freshSettings(BACKENDS[0])), POSTHOUSE_MAX_FILE_BYTES: String(MB) };
    posthouse = await startPosthouse(settings);
    ({ headers } = await addPerson(settings, 'ada@example.org'));
  });
  afterAll(() => posthouse.stop());

  for (const proxy of PROXIES) {
    const isInstalled = Bun.which(proxy.program, { PATH: `${process.env.PATH}:/usr/sbin` }) !== null;
    test.skipIf(!isInstalled)(
      `pass ${proxy.section}, configured as documented (skipped where it is not installed)`,
      async () => {
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
      },
    );
  }
});

/** Starts a proxy with its documented configuration in front of `upstream`. */
async function start({ program, section, adapt, command }: Proxy, upstream: string) {
  const documented = new RegExp(`^${section}[^\n]*:\n\n\`\`\`text\n([^]*?)\`\`\``, 'm').exec(operation)?.[1];
  const directory = freshDirectory();
  const port = await freePort();
  const file = join(directory, 'configuration');
  await Bun.write(file, adapt((documented ?? '').replaceAll('127.0.0.1:4000', upstream), port, directory));
  const PATH = `${process.env.PATH}:/usr/sbin`;
  const child = Bun.spawn([Bun.which(program, { PATH }) ?? program, ...command(file)], {
    env: { PATH, HOME: directory },
    stdout: 'ignore',
    stderr: 'pipe',
  });
  const url = `http://127.0.0.1:${port}`;
  await until(async () => child.exitCode !== null || (await fetch(`${url}/Ping`).catch(() => null))?.ok);
  if (child.exitCode !== null) throw new Error(`${program}: ${await new Response(child.stderr).text()}`);
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.exited;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
