import { mkdirSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** A directory for what is costly to make and the same in every test run. Each user has their own: one cannot write into another's. */
export function sharedDirectory(name: string): string {
  const directory = join(tmpdir(), `posthouse-test-of-${userInfo().uid}`, name);
  mkdirSync(directory, { recursive: true });
  return directory;
}
