import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/*
 * Installs the packages of package-lock.json, unless they are installed, and builds the web app and the server, unless
 * they are built. Needs nothing but Node and npm.
 *
 *   node scripts/install.mjs         the packages of the server (and those of the tests, if they are installed)
 *   node scripts/install.mjs tests   those of the tests as well
 *   node scripts/install.mjs check   installs nothing; status 1 when packages are missing or outdated
 *
 * npm fills a directory beside node_modules, and two renames exchange them at the end. `npm ci` in place would
 * empty node_modules first, and `npm install` in place removes each package that it replaces, while a server may be
 * running, which loads modules and starts child processes on demand: their paths are the same before and after the
 * exchange. Two concurrent installs fill one directory each; the one that ends last discards its own.
 */

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const MODULES = join(ROOT, 'node_modules');
/** A copy of the lock file, written when the packages match it. bin/posthouse compares it without starting Node. */
const STAMP = join(MODULES, '.posthouse-lock.json');
const STAGING = '.installing-';
const MODES = ['server', 'tests', 'check'];

class InstallError extends Error {}

/**
 * @typedef {{ version?: string, integrity?: string, dev?: boolean, devOptional?: boolean, optional?: boolean }}
 * Package
 */

/** @returns {Record<string, Package> | null} the packages of a lock file by path; null when there is none */
function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Reports whether every package of the lock file is installed in its version. npm lists the installed packages in
 * node_modules/.package-lock.json.
 */
function isInstalled(withTests) {
  const installed = readPackages(join(MODULES, '.package-lock.json'));
  if (installed === null) return false;
  const locked = readPackages(join(ROOT, 'package-lock.json')) ?? {};
  return Object.entries(locked).every(([path, wanted]) => {
    if (path === '') return true;
    const found = installed[path];
    if (!found) return wanted.optional || wanted.devOptional || (wanted.dev && !withTests);
    return found.version === wanted.version && found.integrity === wanted.integrity;
  });
}

function hasTests() {
  return Object.values(readPackages(join(MODULES, '.package-lock.json')) ?? {}).some(({ dev }) => dev);
}

/** Allows bin/posthouse to skip the comparison. A failure is ignored, since node_modules may belong to another user. */
function stamp() {
  try {
    cpSync(join(ROOT, 'package-lock.json'), STAMP);
  } catch {
    // The next start compares again.
  }
}

async function install(withTests) {
  if (lstatSync(MODULES, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new InstallError(
      `${MODULES} is a symbolic link: replace it with a directory, or install the packages at its target.`,
    );
  removeAbandoned();
  const staging = createStaging();
  const removeStaging = () => rmSync(staging, { recursive: true, force: true });
  try {
    for (const file of ['package.json', 'package-lock.json', '.npmrc'])
      if (existsSync(join(ROOT, file))) cpSync(join(ROOT, file), join(staging, file));
    process.stderr.write('Installing packages …\n');
    await runNpm(['ci', '--prefix', staging, ...(withTests ? [] : ['--omit=dev'])], staging);
    if (!isInstalled(withTests)) exchange(staging);
  } finally {
    removeStaging();
  }
}

/** Creates a directory named after this process, so that another install can find out whether it is in use. */
function createStaging() {
  try {
    return mkdtempSync(join(ROOT, `${STAGING}${process.pid}-`));
  } catch {
    throw new InstallError(`${ROOT} is not writable, so the packages cannot be installed in it.`);
  }
}

/** Replaces the installed modules with the staged ones, unless another install does so meanwhile. */
function exchange(staging) {
  const before = join(staging, 'before');
  if (existsSync(MODULES)) renameSync(MODULES, before);
  try {
    renameSync(join(staging, 'node_modules'), MODULES);
  } catch (error) {
    if (existsSync(MODULES)) return;
    if (existsSync(before)) renameSync(before, MODULES);
    throw error;
  }
}

/** Removes the directories of installs that were killed. */
function removeAbandoned() {
  for (const name of readdirSync(ROOT).filter((entry) => entry.startsWith(STAGING))) {
    if (isRunning(Number.parseInt(name.slice(STAGING.length), 10))) continue;
    try {
      rmSync(join(ROOT, name), { recursive: true, force: true });
    } catch {
      // It belongs to another user, whose next install removes it.
    }
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

async function runNpm(words, cwd) {
  const status = await run('npm', [...words, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd,
    stdio: ['ignore', 2, 2],
  });
  if (status === null) throw new InstallError('npm cannot be started; install Node.js with npm.');
  if (status !== 0) throw new InstallError('npm could not install the packages; its messages are above.');
}

/**
 * Builds the server and the web app. Without builds, the server runs from its sources and builds the web app itself.
 */
async function build() {
  const status = await run(join(MODULES, 'bun/bin/bun.exe'), [join(ROOT, 'scripts/build.ts')], {
    stdio: ['ignore', 'ignore', 2],
  });
  if (status !== 0) process.stderr.write('The builds failed, so the server starts more slowly.\n');
}

/**
 * Runs a program and waits for its end. A signal to this process ends the program, then this process.
 * @returns {Promise<number | null>} its status; null = it cannot be started
 */
async function run(program, words, options) {
  const child = spawn(program, words, options);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  let stopped = false;
  const stop = (signal) => {
    stopped = true;
    child.kill(signal);
  };
  for (const signal of signals) process.on(signal, stop);
  const status = await new Promise((resolve) => {
    child.on('error', () => resolve(null));
    child.on('close', (code) => resolve(code ?? 1));
  });
  for (const signal of signals) process.off(signal, stop);
  if (stopped) throw new InstallError('Stopped by a signal.');
  return status;
}

async function main([mode = 'server', ...rest]) {
  if (!MODES.includes(mode) || rest.length > 0)
    throw new InstallError(`Usage: node scripts/install.mjs [tests|check]`);
  const withTests = mode === 'tests' || hasTests();
  if (!isInstalled(mode === 'tests')) {
    if (mode === 'check')
      throw new InstallError(`Packages are missing or outdated. Run “node scripts/install.mjs” in ${ROOT}.`);
    await install(withTests);
  }
  stamp();
  if (mode !== 'check') await build();
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof InstallError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
