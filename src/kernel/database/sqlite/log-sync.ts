import { fstatSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { SECOND } from '../../clock.ts';
import { Unavailable } from '../../errors/unavailable.ts';
import { inTime } from '../../event-loop/in-time.ts';

/** Syncs of the write-ahead log of a SQLite database, on a separate thread. */
export interface LogSync {
  /**
   * Resolves when all that was committed before the call, by any process, is on the disk. Concurrent calls share a
   * sync.
   * @throws Unavailable when the log cannot be opened; when the database or its log is no longer at its path, since
   *   the next start would not find the commit; when the call takes longer than the limit; and always once a sync has
   *   failed, since the kernel may have dropped the pages that it could not write, so that the success of a
   *   later sync proves nothing (https://wiki.postgresql.org/wiki/Fsync_Errors). The process keeps running, so that
   *   reads and downloads continue and `/readyz` reports the database: after an automatic restart, it would acknowledge
   *   writes to the same disk, behind pages of the log that may be lost
   */
  sync(): Promise<void>;
  /** @throws Unavailable while the disk does not respond */
  requireResponsive(): void;
  close(): Promise<void>;
}

/** Below the 10 s within which each request must get a response. A slow disk syncs a log in less than a second. */
const LIMIT_MS = 8 * SECOND;

/**
 * @param database the file of the database, which is open. Its log exists from the first commit on, and as long as the
 *   database is open
 * @param limitMs maximum duration of a call
 */
export function createLogSync(database: string, limitMs = LIMIT_MS): LogSync {
  const opened = statSync(database);
  /** Whether the running sync has exceeded the limit. */
  let isHanging = false;
  let handle: FileHandle | null = null;
  let failure: Unavailable | null = null;
  /** The sync that runs, and the one that follows it. */
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;

  async function run(): Promise<void> {
    const timer = setTimeout(() => {
      isHanging = true;
    }, limitMs);
    try {
      handle ??= await open(`${database}-wal`, 'r').catch((cause) => {
        throw notSynced(cause);
      });
      await handle.datasync().catch((cause) => {
        failure ??= notSynced(cause);
      });
      if (!isStillAtPath(handle)) throw notAtPath();
    } finally {
      clearTimeout(timer);
      isHanging = false;
      running = null;
    }
    if (failure) throw failure;
  }

  /**
   * Reports whether the next start will open the same database and log. The calls are synchronous: the kernel has the
   * metadata of open files in memory, and returns it within 1 µs.
   */
  function isStillAtPath(log: FileHandle): boolean {
    try {
      const now = statSync(database);
      return fstatSync(log.fd).nlink > 0 && now.ino === opened.ino && now.dev === opened.dev;
    } catch {
      return false;
    }
  }

  async function runAfter(previous: Promise<void>): Promise<void> {
    await previous.catch(() => {});
    next = null;
    running = run();
    await running;
  }

  function start(): Promise<void> {
    if (running) {
      // The running sync may have begun before the commit of the caller.
      next ??= runAfter(running);
      return next;
    }
    running = run();
    return running;
  }

  function requireResponsive(): void {
    if (isHanging) throw notResponding(false);
  }

  async function sync(): Promise<void> {
    if (isHanging) throw notResponding(true);
    await inTime(start(), limitMs, () => notResponding(true));
  }

  return {
    sync,
    requireResponsive,
    async close() {
      if (running) await sync().catch(() => {});
      if (!isHanging) await handle?.close();
    },
  };
}

function notResponding(isUnknown: boolean): Unavailable {
  return new Unavailable('database', 'the disk does not respond', { isUnknown });
}

function notAtPath(): Unavailable {
  const reason = 'the database was moved, deleted or replaced while the server runs: restart the server';
  return new Unavailable('database', reason, { isUnknown: true });
}

function notSynced(cause: unknown): Unavailable {
  return new Unavailable('database', 'the log could not be synced', { cause, isUnknown: true });
}
