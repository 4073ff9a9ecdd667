import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename, join } from 'node:path';
import { DAY } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import { PACKAGE } from '../kernel/program-files.ts';
import { currentKey, findBuild, installedBuilds } from './find.ts';
import type { Product } from './products.ts';

const LOWEST_PRIORITY = 19;
/** A server that was started before an update still uses its own build. */
const OLD_BUILDS_KEPT_MS = 7 * DAY;
const OLD_BUILDS_KEPT = 2;
/** npm omits the files that match it, and the file itself. */
const NPM_IGNORE = '.npmignore';

interface BuildOptions {
  directory: string;
  signal?: AbortSignal;
  /** The package with the sources. */
  root?: string;
}

/**
 * Returns the directory of a complete build of the current sources, named by their key: an installed one, or one in
 * `directory`. Builds there when both are missing.
 */
export async function currentBuild(
  product: Product,
  { directory, signal, root = PACKAGE }: BuildOptions,
): Promise<string> {
  const key = currentKey(product, root);
  const found = findBuild(product, key, [installedBuilds(product, root), directory]);
  if (found) return found;
  const build = join(directory, key);
  await buildInto(build, join(root, product.program), signal);
  return build;
}

/**
 * Excludes all builds in `directory` but one from the packages that npm creates. Servers may still use the
 * others.
 */
export function publishOnly(directory: string, build: string): void {
  writeFileSync(join(directory, NPM_IGNORE), `/*\n!/${basename(build)}\n`);
}

/** Removes builds that have not been used for a week, except the most recent ones. */
export function removeOldBuilds(directory: string, current: string): void {
  if (!existsSync(directory)) return;
  readdirSync(directory)
    .filter((name) => name !== NPM_IGNORE)
    .map((name) => join(directory, name))
    .filter((path) => path !== current)
    // Another process may meanwhile remove a build, or its own incomplete one.
    .map((path) => ({ path, usedAt: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.usedAt - a.usedAt)
    .slice(OLD_BUILDS_KEPT)
    .filter(({ usedAt }) => Date.now() - usedAt > OLD_BUILDS_KEPT_MS)
    .forEach(({ path }) => {
      rmSync(path, { recursive: true, force: true });
    });
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
    if (!existsSync(target)) throw error;
  }
}
