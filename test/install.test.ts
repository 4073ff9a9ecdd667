import { afterEach, describe, expect, test } from 'bun:test';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Subprocess } from 'bun';
import { freshDirectory } from './harness/backends.ts';
import { HTTP_REQUESTS } from './harness/process.ts';
import { resultOf } from './harness/result-of.ts';

/*
 * The install step in a small checkout, with a program in the place of npm: it writes a line to `npm.log`, waits
 * for the FIFO named by GATE, if any, and installs a Bun that prints its arguments. test/start.test.ts installs
 * with npm.
 */

const ROOT = join(import.meta.dir, '..');
const NPM = `#!/bin/sh
set -eu
installed=no; [ ! -e "$ROOT/node_modules/bun/bin/bun.exe" ] || installed=yes
echo "$* | installed meanwhile: $installed" >>"$ROOT/npm.log"
[ -z "\${GATE:-}" ] || read -r _ <"$GATE"
[ -z "\${FAIL:-}" ] || exit 1
cd "$3"
mkdir -p node_modules/bun/bin
cp package-lock.json node_modules/.package-lock.json
echo "\${NAME:-}" >node_modules/installed-by
printf '#!/bin/sh\\nshift\\necho "program $*"\\n' >node_modules/bun/bin/bun.exe
chmod +x node_modules/bun/bin/bun.exe
`;

const started = new Set<Subprocess>();
afterEach(async () => {
  for (const child of started) child.kill('SIGKILL');
  await Promise.all([...started].map((child) => child.exited));
  started.clear();
});

function lockFile(version: string): string {
  return JSON.stringify({
    packages: { '': {}, 'node_modules/a': { version }, 'node_modules/t': { version, dev: true } },
  });
}

function checkout() {
  const root = freshDirectory();
  const tools = freshDirectory();
  for (const path of ['bin/posthouse', 'scripts/install.mjs']) cpSync(join(ROOT, path), join(root, path));
  writeFileSync(
    join(root, 'package.json'),
    JSON.stringify({ name: 'posthouse', bin: { posthouse: 'bin/posthouse' } }),
  );
  writeFileSync(join(root, 'package-lock.json'), lockFile('1.0.0'));
  writeFileSync(join(tools, 'npm'), NPM);
  chmodSync(join(tools, 'npm'), 0o755);
  const start = (words: string[], more: Record<string, string> = {}) => {
    const child = Bun.spawn(words, {
      cwd: root,
      env: { PATH: `${tools}:${process.env.PATH}`, HOME: tools, ROOT: root, ...more },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    });
    started.add(child);
    return child;
  };
  return {
    root,
    modules: join(root, 'node_modules'),
    start,
    async run(...words: string[]) {
      const child = start(words);
      const { status, stdout, stderr } = await resultOf(child);
      return { status, stdout: stdout.trim(), stderr: stderr.trim() };
    },
    /** The calls of npm, without the path of its directory. */
    calls: () =>
      existsSync(join(root, 'npm.log'))
        ? readFileSync(join(root, 'npm.log'), 'utf8')
            .trim()
            .split('\n')
            .map((line) => line.replace(/--prefix \S+/, '…'))
        : [],
    left: () => readdirSync(root).filter((name) => name.startsWith('.installing')),
  };
}

const QUIET = '--no-audit --no-fund --loglevel=error';
const FIRST = `ci … --omit=dev ${QUIET} | installed meanwhile: no`;

describe('the first command in a checkout', () => {
  test.each([
    ['bin/posthouse serve', 'serve'],
    ['bin/posthouse user list', 'user list'],
    ['npx posthouse --version', '--version'],
  ])('%s installs the packages', async (line, words) => {
    const { run, calls, left } = checkout();
    const { status, stdout } = await run(...line.split(' '));
    expect({ status, stdout }).toEqual({ status: 0, stdout: `program ${words}` });
    expect(calls()).toEqual([FIRST]);
    expect(left()).toEqual([]);
  });

  test('installs nothing when npm fails, and the next one tries again', async () => {
    const { run, start, modules, left } = checkout();
    const failed = start(['bin/posthouse', 'serve'], { FAIL: 'yes' });
    expect(await new Response(failed.stderr).text()).toContain('npm could not install the packages');
    expect(await failed.exited).toBe(1);
    expect([existsSync(modules), left()]).toEqual([false, []]);
    expect((await run('bin/posthouse', 'serve')).status).toBe(0);
  });
});

test('Bun starts with a maximum number of HTTP requests above its default, unless another is set', async () => {
  const { modules, run, start } = checkout();
  await run('bin/posthouse');
  writeFileSync(join(modules, 'bun/bin/bun.exe'), '#!/bin/sh\necho "$BUN_CONFIG_MAX_HTTP_REQUESTS"\n');
  expect((await run('bin/posthouse')).stdout).toBe(HTTP_REQUESTS.BUN_CONFIG_MAX_HTTP_REQUESTS);
  const other = start(['bin/posthouse'], { BUN_CONFIG_MAX_HTTP_REQUESTS: '300' });
  expect(await new Response(other.stdout).text()).toBe('300\n');
});

describe('a later command', () => {
  test('installs nothing while the content of the lock file is the same', async () => {
    const { root, run, calls } = checkout();
    await run('bin/posthouse');
    utimesSync(join(root, 'package-lock.json'), new Date(), new Date(Date.now() + 60_000));
    expect((await run('bin/posthouse', '--port', '0')).stdout).toBe('program --port 0');
    expect(calls()).toEqual([FIRST]);
  });

  test('that does not serve explains how to install new packages, and installs none', async () => {
    const { root, run, calls } = checkout();
    await run('bin/posthouse');
    writeFileSync(join(root, 'package-lock.json'), lockFile('2.0.0'));
    expect(await run('bin/posthouse', 'user', 'list')).toEqual({
      status: 1,
      stdout: '',
      stderr: `Packages are missing or outdated. Run “node scripts/install.mjs” in ${root}.`,
    });
    expect(calls()).toEqual([FIRST]);
  });

  test('that serves installs new packages while those of a running program stay in place', async () => {
    const { root, run, calls, left } = checkout();
    await run('bin/posthouse');
    writeFileSync(join(root, 'package-lock.json'), lockFile('2.0.0'));
    expect((await run('bin/posthouse', 'serve')).status).toBe(0);
    expect(calls()).toEqual([FIRST, `ci … ${QUIET} | installed meanwhile: yes`]);
    expect(left()).toEqual([]);
  });

  test('accepts packages that npm installed by hand', async () => {
    const { root, modules, run, calls } = checkout();
    await run('bin/posthouse');
    const lock = lockFile('2.0.0');
    writeFileSync(join(root, 'package-lock.json'), lock);
    writeFileSync(join(modules, '.package-lock.json'), lock);
    expect((await run('bin/posthouse', 'user', 'list')).status).toBe(0);
    // And notices when they are replaced by those of another lock file.
    writeFileSync(join(modules, '.package-lock.json'), lockFile('1.0.0'));
    // The clock of files may not have advanced since the command.
    utimesSync(join(modules, '.package-lock.json'), new Date(), new Date(Date.now() + 60_000));
    expect((await run('bin/posthouse', 'user', 'list')).status).toBe(1);
    expect(calls()).toHaveLength(1);
  });
});

/** Removes the package of the tests from the installed ones. */
function leaveServerOnly(modules: string): void {
  const { packages } = JSON.parse(lockFile('1.0.0')) as { packages: Record<string, unknown> };
  delete packages['node_modules/t'];
  writeFileSync(join(modules, '.package-lock.json'), JSON.stringify({ packages }));
}

test('tests install their packages in addition to those of the server', async () => {
  const { root, modules, run, calls } = checkout();
  await run('bin/posthouse');
  leaveServerOnly(modules);
  expect((await run('node', join(root, 'scripts/install.mjs'))).status).toBe(0);
  expect(calls()).toHaveLength(1);
  expect((await run('node', join(root, 'scripts/install.mjs'), 'tests')).status).toBe(0);
  expect(calls()[1]).toBe(`ci … ${QUIET} | installed meanwhile: yes`);
});

test('npm pack installs the packages of the tests too, and removes no build', async () => {
  const { root, modules, start, run, calls } = checkout();
  await run('bin/posthouse');
  leaveServerOnly(modules);
  mkdirSync(join(root, 'dist/web/key'), { recursive: true });
  const { scripts } = await Bun.file(join(ROOT, 'package.json')).json();
  // Its further steps fail, without the sources.
  expect(await start(['sh', '-c', scripts.prepack]).exited).not.toBe(0);
  expect(calls()[1]).toBe(`ci … ${QUIET} | installed meanwhile: yes`);
  expect(existsSync(join(root, 'dist/web/key'))).toBe(true);
});

test('a symbolic link in the place of node_modules is refused, and its target stays as it is', async () => {
  const { root, modules, run, calls } = checkout();
  await run('bin/posthouse');
  const target = join(freshDirectory(), 'modules');
  renameSync(modules, target);
  symlinkSync(target, modules);
  writeFileSync(join(root, 'package-lock.json'), lockFile('2.0.0'));
  const before = readdirSync(target);
  const { status, stderr } = await run('bin/posthouse', 'serve');
  expect(status).toBe(1);
  expect(stderr).toBe(
    `${modules} is a symbolic link: replace it with a directory, or install the packages at its target.`,
  );
  expect(readdirSync(target)).toEqual(before);
  expect(calls()).toHaveLength(1);
});

test('of two installs at once, the one that ends last discards its own', async () => {
  const { root, modules, start, left } = checkout();
  const installs = ['one', 'two'].map((name) => {
    const gate = join(root, `gate-${name}`);
    Bun.spawnSync(['mkfifo', gate]);
    const child = start(['node', 'scripts/install.mjs'], { GATE: gate, NAME: name });
    return { child, release: () => writeFile(gate, '\n') };
  });
  for (const { child } of installs)
    for await (const chunk of child.stderr) if (new TextDecoder().decode(chunk).includes('Installing')) break;
  for (const { child, release } of installs) {
    await release();
    expect(await child.exited).toBe(0);
    expect(readFileSync(join(modules, 'installed-by'), 'utf8').trim()).toBe('one');
  }
  expect(left()).toEqual([]);
});

test('the files of a killed install are removed by the next', async () => {
  const { root, run, left } = checkout();
  const dead = Bun.spawnSync(['sh', '-c', 'echo $$']).stdout.toString().trim();
  mkdirSync(join(root, `.installing-${dead}-abcdef`));
  mkdirSync(join(root, `.installing-${process.pid}-abcdef`));
  await run('bin/posthouse');
  expect(left()).toEqual([`.installing-${process.pid}-abcdef`]);
});
