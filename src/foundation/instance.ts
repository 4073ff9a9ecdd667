import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { newId } from '../kernel/ids.ts';
import { DataDirectoryInUse, LOCK_FILE, lockInDataDirectory } from './data-directory-lock.ts';

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
  const close = lockInDataDirectory(config.dataDir, slot === null ? LOCK_FILE : `process-${slot}.lock`);
  const isSqlite = config.database.kind === 'sqlite';
  if (close)
    return { id, previousId: recordRun(config, slot, id), isAlone: isSqlite && slot === null, close };
  if (isSqlite) throw new DataDirectoryInUse(config.dataDir);
  return { id, previousId: null, isAlone: false, close() {} };
}

/** Stores the id of this run in the data directory, and returns that of the previous run, if it has ended. */
function recordRun({ dataDir, database }: Config, slot: number | null, id: string): string | null {
  const file = join(dataDir, slot ? `instance-${slot}` : 'instance');
  const [previousId = '', boot] = textOf(file).split('\n');
  writeFileSync(`${file}.new`, `${id}\n${bootId()}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  // After a boot, the directory may be a copy of one whose server still runs on another machine. Leases then expire. A
  // SQLite database in it is copied as well.
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
