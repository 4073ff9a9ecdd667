import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, mkdirSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Subprocess } from 'bun';
import { missingPackages, readPackages } from '../scripts/lock.ts';
import { freshDirectory } from './harness/backends.ts';
import { freePort } from './harness/peers.ts';
import { resultOf } from './harness/result-of.ts';

const ROOT = join(import.meta.dir, '..');
const READY = /ready at (http:\/\/\S+)/;
const INSTALL_LIMIT_MS = 600_000;
const isRoot = process.getuid?.() === 0;
/** A user without privileges or a home directory. */
const NOBODY = { uid: 65_534, prefix: ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] };

const home = freshDirectory();
const clone = join(freshDirectory(), 'posthouse');
const running = new Set<Subprocess>();

afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await Promise.all([...running].map((child) => child.exited));
});

/** The environment of a user's shell, with the npm configuration of this machine but no setting of Posthouse. */
function environment(more: Record<string, string> = {}): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) =>
    /^(?:PATH|LANG|LC_\w+|(?:https?|no)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+|npm_config_(?:registry|cafile))$/i.test(
      name,
    ),
  );
  return {
    ...Object.fromEntries(kept.map(([name, value]) => [name, value ?? ''])),
    HOME: home,
    npm_config_cache: join(home, 'npm-cache'),
    ...more,
  };
}

interface Person {
  prefix: string[];
}
const self: Person = { prefix: [] };
const ordinary: Person = isRoot ? { prefix: NOBODY.prefix } : self;

async function run(person: Person, words: string[], more: Record<string, string> = {}) {
  const child = Bun.spawn([...person.prefix, ...words], {
    cwd: clone,
    env: environment(more),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  return await resultOf(child);
}

/** Runs `npm start`; resolves when the server is ready. */
async function npmStart(person: Person, settings: Record<string, string>) {
  const started = performance.now();
  const child = Bun.spawn([...person.prefix, 'npm', 'start'], {
    cwd: clone,
    env: environment(settings),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  running.add(child);
  let printed = '';
  const { promise: ready, resolve, reject } = Promise.withResolvers<string>();
  const gather = async (stream: ReadableStream<Uint8Array>) => {
    for await (const chunk of stream) {
      printed += new TextDecoder().decode(chunk);
      const url = READY.exec(printed)?.[1];
      if (url) resolve(url);
    }
  };
  void Promise.all([gather(child.stdout), gather(child.stderr)]).then(() =>
    reject(new Error(`npm start ended:\n${printed}`)),
  );
  const url = await ready;
  return { child, url, milliseconds: Math.round(performance.now() - started), output: () => printed };
}

async function stop(child: Subprocess, signal: NodeJS.Signals = 'SIGTERM'): Promise<number> {
  child.kill(signal);
  const status = await child.exited;
  running.delete(child);
  return status;
}

async function isRegistryReachable(): Promise<boolean> {
  return (
    (await run(self, ['npm', 'view', 'bun', 'version', '--fetch-retries=0', '--fetch-timeout=15000']))
      .status === 0
  );
}

beforeAll(async () => {
  mkdirSync(join(home, 'npm-cache'));
  const cloned = Bun.spawnSync(['git', 'clone', '--quiet', '--no-hardlinks', ROOT, clone], {
    stdout: 'inherit',
    stderr: 'inherit',
  });
  if (cloned.exitCode !== 0) throw new Error('the checkout could not be cloned');
  if (!(await isRegistryReachable())) {
    process.stderr.write('The npm registry does not answer; what is installed here is copied instead.\n');
    cpSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'), {
      recursive: true,
      preserveTimestamps: true,
      verbatimSymlinks: true,
    });
  }
  if (isRoot) Bun.spawnSync(['chown', '-R', `${NOBODY.uid}:${NOBODY.uid}`, clone, home]);
  // The ordinary user needs access to the parent directories, which belong to root.
  for (const directory of [home, join(clone, '..')]) Bun.spawnSync(['chmod', '755', directory]);
}, INSTALL_LIMIT_MS);

describe('in a fresh clone', () => {
  test(
    'npm start installs missing packages and serves on the given port, as an ordinary user',
    async () => {
      const port = await freePort();
      const { child, url, output } = await npmStart(ordinary, { PORT: String(port) });
      expect(url).toBe(`http://127.0.0.1:${port}`);
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
      expect(output()).toContain(`http://localhost:${port}/setup/`);
      expect(statSync(join(clone, 'data')).mode & 0o777).toBe(0o700);
      expect(await stop(child)).toBe(0);
    },
    INSTALL_LIMIT_MS,
  );

  test('a second start installs nothing and keeps the data', async () => {
    const { child, milliseconds, output, url } = await npmStart(ordinary, { PORT: '0' });
    process.stderr.write(`npm start to ready: ${milliseconds} ms\n`);
    expect(output()).not.toContain('Installing');
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(await stop(child, 'SIGINT')).toBe(0);
  });

  test('a signal to npm ends the server after the running request', async () => {
    const { child, url } = await npmStart(self, {
      PORT: '0',
      POSTHOUSE_DATA_DIR: join(freshDirectory(), 'data'),
    });
    const { port, hostname } = new URL(url);
    const { promise: answered, resolve } = Promise.withResolvers<string>();
    let answer = '';
    const socket = connect(Number(port), hostname);
    socket.on('data', (chunk) => {
      answer += chunk.toString();
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', (error) => resolve(`${answer} ${error.message}`));
    const body = JSON.stringify({
      ClientId: 'nobody',
      ClientSecret: 'nothing',
      To: 'a@example.org',
      Subject: 'x',
      Body: 'x',
    });
    const head = `POST /requestemail HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`;
    await new Promise<void>((sent) => socket.write(head + body.slice(0, 20), () => sent()));
    // The server has received the request once it responds to a later one.
    await fetch(`${url}/healthz`);
    child.kill('SIGTERM');
    await refuses(url);
    socket.write(body.slice(20));
    expect(await answered).toMatch(/^HTTP\/1\.1 401 .*"code":"bad_client"/s);
    expect(await child.exited).toBe(0);
    running.delete(child);
  });

  test('npx posthouse works in the checkout', async () => {
    const { status, stdout } = await run(ordinary, ['npx', 'posthouse', '--help']);
    expect(status).toBe(0);
    expect(stdout).toContain('Usage: posthouse');
    const version = await run(ordinary, ['npx', 'posthouse', '--version']);
    expect(version.stdout.trim()).toBe('0.1.0');
  });

  test('a command in another directory finds its program, and uses the data there', async () => {
    const elsewhere = freshDirectory();
    const child = Bun.spawn([join(clone, 'bin/posthouse'), 'user', 'list', '--json'], {
      cwd: elsewhere,
      env: environment(),
      stdout: 'pipe',
      stderr: 'pipe',
    });
    expect(await child.exited).toBe(0);
    expect(statSync(join(elsewhere, 'data/posthouse.sqlite')).isFile()).toBe(true);
  });
});

test('the lock file names the optional packages of every platform (npm run lock adds them)', async () => {
  expect(Object.keys(missingPackages(await readPackages()))).toEqual([]);
});

test('no file of the repository names a registry, and the lock file relies on checksums only', async () => {
  expect(await Bun.file(join(ROOT, 'package-lock.json')).text()).not.toContain('"resolved"');
});

/** Waits until the server accepts no connections. */
async function refuses(url: string): Promise<void> {
  while (
    await fetch(`${url}/healthz`).then(
      () => true,
      () => false,
    )
  );
}
