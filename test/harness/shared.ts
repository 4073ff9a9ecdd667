import { mkdirSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/**
 * Returns a directory for expensive results that are the same in every test run, separate for each user of the
 * machine.
 */
export function sharedDirectory(name: string): string {
  const directory = join(tmpdir(), `posthouse-test-of-${userInfo().uid}`, name);
  mkdirSync(directory, { recursive: true });
  return directory;
}
