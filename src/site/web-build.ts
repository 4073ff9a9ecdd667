import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { DAY } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';

const PACKAGE = join(import.meta.dir, '../..');
/** npm does not publish it, so only a checkout has one. */
const LOCK_FILE = 'package-lock.json';
/** The app and the client, which it contains. */
const SOURCES = ['src/web', 'src/client'];
const LOWEST_PRIORITY = 19;
/** A server that was started before an update still serves its own build. */
const OLD_BUILDS_KEPT_MS = 7 * DAY;
const OLD_BUILDS_KEPT = 2;

/** Directory of the builds that are made when a package is published or installed (`scripts/build-web.ts`). */
export function installedBuilds(root = PACKAGE): string {
  return join(root, 'dist/web');
}

interface BuildOptions {
  /** The directory of a new build. */
  directory: string;
  signal?: AbortSignal;
  /** The package with the sources. */
  root?: string;
}

/**
 * Returns the directory of a complete build of the current sources, named by a key of their content: an installed
 * one, or one in `directory`. Builds there when both are missing.
 */
export async function currentBuild({ directory, signal, root = PACKAGE }: BuildOptions): Promise<string> {
  const key = publishedKey(root) ?? (await sourceKey(root));
  const found = [installedBuilds(root), directory].map((parent) => join(parent, key)).find(isComplete);
  const build = found ?? join(directory, key);
  if (!found) await buildInto(build, join(root, 'src/web/build.ts'), signal);
  markUsed(build);
  return build;
}

/** Removes builds that have not been used for a week, except the most recent ones. */
export function removeOldBuilds(directory: string, current: string): void {
  if (!existsSync(directory)) return;
  readdirSync(directory)
    .map((name) => join(directory, name))
    .filter((path) => path !== current)
    // Another process may remove one, or an incomplete one, meanwhile.
    .map((path) => ({ path, usedAt: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.usedAt - a.usedAt)
    .slice(OLD_BUILDS_KEPT)
    .filter(({ usedAt }) => Date.now() - usedAt > OLD_BUILDS_KEPT_MS)
    .forEach(({ path }) => {
      rmSync(path, { recursive: true, force: true });
    });
}

/** Returns the key of the build in a published package, whose sources do not change; null = a checkout. */
function publishedKey(root: string): string | null {
  const builds = installedBuilds(root);
  if (existsSync(join(root, LOCK_FILE)) || !existsSync(builds)) return null;
  return readdirSync(builds)[0] ?? null;
}

/** Returns a hash of everything that a build is made from. */
async function sourceKey(root: string): Promise<string> {
  const listed = SOURCES.map(async (folder) =>
    (await readdir(join(root, folder), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const files = (await Promise.all(listed)).flat().sort();
  const packages = ['package.json', LOCK_FILE].map((name) => join(root, name)).filter(existsSync);
  const contents = [...files, ...packages].map(async (file) => ({ file, bytes: await readFile(file) }));
  const hash = new Bun.CryptoHasher('sha256').update(Bun.version);
  for (const { file, bytes } of await Promise.all(contents))
    hash.update(`\n${file.slice(root.length)} ${bytes.length}\n`).update(bytes);
  return hash.digest('hex').slice(0, 24);
}

function isComplete(build: string): boolean {
  return existsSync(join(build, 'manifest.json'));
}

/** For `removeOldBuilds`. Optional: the directory may belong to another user. */
function markUsed(build: string): void {
  try {
    utimesSync(build, new Date(), new Date());
  } catch {
    // The build is kept by its age, or by its owner.
  }
}

/** Builds in a child process of the lowest priority, and renames the complete result to `target`. */
async function buildInto(target: string, program: string, signal: AbortSignal | undefined): Promise<void> {
  const temporary = `${target}.${newId()}`;
  mkdirSync(temporary, { recursive: true });
  try {
    const child = Bun.spawn([process.execPath, program, temporary], {
      env: {},
      stdout: 'pipe',
      stderr: 'pipe',
      signal,
    });
    try {
      setPriority(child.pid, LOWEST_PRIORITY);
    } catch {
      // The process has ended, or the system does not allow it: the build keeps the normal priority.
    }
    const [output, status] = await Promise.all([new Response(child.stderr).text(), child.exited]);
    if (status !== 0) throw new Error(`the build ended with status ${status}: ${output.slice(0, 2_000)}`);
    moveIntoPlace(temporary, target);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function moveIntoPlace(temporary: string, target: string): void {
  try {
    renameSync(temporary, target);
  } catch (error) {
    // Another process has completed the same build.
    if (!isComplete(target)) throw error;
  }
}
