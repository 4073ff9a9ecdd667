import { Database as Sqlite } from 'bun:sqlite';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { createDataDirectory } from '../config/data-dir.ts';
import { codeOf } from '../kernel/errors/code-of.ts';

/** Another process serves, or restores into, the data directory. */
export class DataDirectoryInUse extends Error {
  override readonly name = 'DataDirectoryInUse';
  constructor(directory: string) {
    super(
      `A Posthouse server is running with the data directory ${directory}. Stop it first, or set ` +
        'POSTHOUSE_DATA_DIR to another directory.',
    );
  }
}

export const LOCK_FILE = 'server.lock';

/**
 * Locks the data directory, so that no server with SQLite starts in it. Returns the function that unlocks it. With
 * PostgreSQL the function does nothing.
 * @throws DataDirectoryInUse
 */
export function lockDataDirectory({ dataDir, database }: Config): () => void {
  if (database.kind !== 'sqlite') return () => {};
  const unlock = lockInDataDirectory(dataDir, LOCK_FILE);
  if (!unlock) throw new DataDirectoryInUse(dataDir);
  return unlock;
}

/** Locks a file of the data directory. Returns the function that unlocks it; null = another process has the lock. */
export function lockInDataDirectory(dataDir: string, name: string): (() => void) | null {
  createDataDirectory(dataDir);
  return lockFile(join(dataDir, name));
}

/**
 * Creates and locks a file. Returns the function that unlocks it; null = another process has the lock. The lock is an
 * open exclusive transaction on an empty SQLite database: an advisory lock of the operating system
 * (https://www.sqlite.org/lockingv3.html), which ends with the process, even when that crashes.
 */
export function lockFile(file: string): (() => void) | null {
  const lock = new Sqlite(file, { create: true, readwrite: true });
  try {
    lock.run('begin exclusive');
  } catch (error) {
    lock.close();
    if (codeOf(error) === 'SQLITE_BUSY') return null;
    throw error;
  }
  return () => lock.close();
}
