import { existsSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE } from '../kernel/program-files.ts';
import type { Product } from './products.ts';

/** npm does not publish this file, so only a checkout has it. */
const LOCK_FILE = 'package-lock.json';

/** Directory of the builds that are made when a package is published or installed (`scripts/build.ts`). */
export function installedBuilds({ name }: Product, root = PACKAGE): string {
  return join(root, 'dist', name);
}

/**
 * Returns the key of the build of the current sources: a hash of all inputs of the build. In a published package,
 * whose sources do not change, it is the key of its build.
 */
export function currentKey(product: Product, root = PACKAGE): string {
  return publishedKey(product, root) ?? sourceKey(product, root);
}

/** Returns the directory of a complete build, which is in one of `directories`; null = there is none. */
export function findBuild({ entry }: Product, key: string, directories: readonly string[]): string | null {
  const found = directories
    .map((parent) => join(parent, key))
    .find((build) => existsSync(join(build, entry)));
  if (found) markUsed(found);
  return found ?? null;
}

function publishedKey(product: Product, root: string): string | null {
  const builds = installedBuilds(product, root);
  if (existsSync(join(root, LOCK_FILE)) || !existsSync(builds)) return null;
  return readdirSync(builds)[0] ?? null;
}

function sourceKey({ sources, without = [] }: Product, root: string): string {
  const hash = new Bun.CryptoHasher('sha256').update(Bun.version);
  const packages = ['package.json', LOCK_FILE].filter((name) => existsSync(join(root, name)));
  for (const file of [...sources.flatMap((folder) => filesIn(root, folder, without)).sort(), ...packages]) {
    const bytes = readFileSync(join(root, file));
    hash.update(`\n${file} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex').slice(0, 24);
}

/** Returns the paths of all files but tests. */
function filesIn(root: string, folder: string, without: readonly string[]): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return without.includes(path) ? [] : filesIn(root, path, without);
    return entry.name.includes('.test.') ? [] : [path];
  });
}

/** Records the use of a build for `removeOldBuilds`. Fails silently where the directory belongs to another user. */
function markUsed(build: string): void {
  try {
    utimesSync(build, new Date(), new Date());
  } catch {
    // The owner of the directory records its use, or its age decides.
  }
}
