import { Database as Sqlite } from 'bun:sqlite';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config/config.ts';
import { createDataDirectory } from './config/data-dir.ts';
import { newId } from './kernel/ids.ts';

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

const LOCK_FILE = 'server.lock';

/** One run of a server. */
export interface Instance {
  /** Identifies the run among all nodes. */
  id: string;
  /** Id of the previous run with the same data directory; null = none, or it may still run. */
  previousId: string | null;
  /** Whether no other process holds leases in the database. */
  isAlone: boolean;
  /** Unlocks the data directory. */
  close(): void;
}

/**
 * Locks the data directory for one run of a server. Servers over PostgreSQL may share a data directory; those that
 * find it locked have no previous run.
 * @param slot number of the process where several share the directory: each has its own lock and previous run; null =
 *   one process
 * @throws DataDirectoryInUse with SQLite, when another server has the lock
 */
export function openInstance(config: Config, slot: number | null = null): Instance {
  const id = newId();
  const close = lockServer(config.dataDir, slot === null ? LOCK_FILE : `process-${slot}.lock`);
  const isSqlite = config.database.kind === 'sqlite';
  if (close)
    return { id, previousId: recordRun(config, slot, id), isAlone: isSqlite && slot === null, close };
  if (isSqlite) throw new DataDirectoryInUse(config.dataDir);
  return { id, previousId: null, isAlone: false, close() {} };
}

/**
 * Locks the data directory, so that no server with SQLite starts in it. Returns the function that unlocks it. With
 * PostgreSQL the function does nothing.
 * @throws DataDirectoryInUse
 */
export function lockDataDirectory({ dataDir, database }: Config): () => void {
  if (database.kind !== 'sqlite') return () => {};
  const unlock = lockServer(dataDir, LOCK_FILE);
  if (!unlock) throw new DataDirectoryInUse(dataDir);
  return unlock;
}

function lockServer(dataDir: string, name: string): (() => void) | null {
  createDataDirectory(dataDir);
  return lockFile(join(dataDir, name));
}

/**
 * Creates and locks a file. Returns the function that unlocks it; null = another process has the lock. The lock is an
 * open exclusive transaction on an empty SQLite database: an advisory lock of the operating system
 * (https://www.sqlite.org/lockingv3.html), which ends with the process, however that ends.
 */
export function lockFile(file: string): (() => void) | null {
  const lock = new Sqlite(file, { create: true, readwrite: true });
  try {
    lock.run('begin exclusive');
  } catch (error) {
    lock.close();
    if ((error as { code?: unknown }).code === 'SQLITE_BUSY') return null;
    throw error;
  }
  return () => lock.close();
}

/** Stores the id of this run in the data directory, and returns that of the previous run, if it has ended. */
function recordRun({ dataDir, database }: Config, slot: number | null, id: string): string | null {
  const file = join(dataDir, slot ? `instance-${slot}` : 'instance');
  const [previousId = '', boot] = textOf(file).split('\n');
  writeFileSync(`${file}.new`, `${id}\n${bootId()}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  // After a boot, the directory may be a copy of one whose server still runs on another machine. Leases then end by
  // themselves. A SQLite database in it is copied as well.
  const isHere = database.kind === 'sqlite' || (boot === bootId() && boot !== '');
  return isHere && previousId !== '' ? previousId : null;
}

/** Identifies the boot of this machine (https://man7.org/linux/man-pages/man5/proc_sys_kernel.5.html); '' = unknown. */
function bootId(): string {
  return textOf('/proc/sys/kernel/random/boot_id').trim();
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
