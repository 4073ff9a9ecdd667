import { afterAll } from 'bun:test';
import { rmSync } from 'node:fs';
import { stopAllHosted } from './hosted.ts';
import { killAll } from './process.ts';

/** Attempts to remove a directory into which a child of a killed server still writes, and the pause after each. */
const ATTEMPTS = 50;
const PAUSE_MS = 20;
/** Time limit; installed packages on a slow disk take long to remove. */
const LIMIT_MS = 600_000;

const cleanups: (() => unknown)[] = [];
const directories: string[] = [];

/** Runs `work` after the tests of the file, in the reverse order of these calls. */
export function afterFile(work: () => unknown): void {
  cleanups.push(work);
}

/** Removes `directory` after the tests of the file, when nothing uses it any more. */
export function removeAfterFile(directory: string): void {
  directories.push(directory);
}

// One hook for all modules: hooks run in the order of their registration, which would be the order of imports.
afterAll(async () => {
  const failures: unknown[] = [];
  const attempt = async (work: () => unknown) => {
    try {
      await work();
    } catch (error) {
      failures.push(error);
    }
  };
  await Promise.all([killAll(), stopAllHosted()]);
  for (const work of cleanups.splice(0).reverse()) await attempt(work);
  for (const directory of directories.splice(0)) await attempt(() => remove(directory));
  if (failures.length > 0) throw new AggregateError(failures, 'cleaning up failed');
}, LIMIT_MS);

async function remove(directory: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      rmSync(directory, { recursive: true, force: true });
      return;
    } catch (error) {
      if (attempt === ATTEMPTS || (error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
      await Bun.sleep(PAUSE_MS);
    }
  }
}
