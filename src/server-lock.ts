import { Database as Sqlite } from 'bun:sqlite';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config/config.ts';

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

/**
 * Locks the data directory for one server, and returns the function that unlocks it. PostgreSQL is made for several
 * servers, so there the function does nothing. The lock is an open exclusive transaction on an empty SQLite
 * database: an advisory lock of the operating system (https://www.sqlite.org/lockingv3.html), which ends with the
 * process, however that ends.
 * @throws DataDirectoryInUse
 */
export function lockDataDirectory({ dataDir, database }: Config): () => void {
  if (database.kind !== 'sqlite') return () => {};
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const lock = new Sqlite(join(dataDir, 'server.lock'), { create: true, readwrite: true });
  try {
    lock.run('begin exclusive');
  } catch (error) {
    lock.close();
    throw (error as { code?: unknown }).code === 'SQLITE_BUSY' ? new DataDirectoryInUse(dataDir) : error;
  }
  return () => lock.close();
}
