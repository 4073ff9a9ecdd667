import { type FileHandle, open } from 'node:fs/promises';
import { SECOND } from '../clock.ts';
import { Unavailable } from '../unavailable.ts';

/** Syncs of the write-ahead log of a SQLite database, on a separate thread. */
export interface LogSync {
  /**
   * Resolves when all that was committed before the call, by any process, is on the disk. Concurrent calls share a
   * sync.
   * @throws Unavailable when the log cannot be opened, and from the first failure of a sync on: the kernel may have
   *   dropped what it could not write, so a later sync that succeeds would prove nothing
   *   (https://wiki.postgresql.org/wiki/Fsync_Errors); when the call takes longer than the limit
   */
  sync(): Promise<void>;
  /** @throws Unavailable while the disk does not respond */
  requireResponsive(): void;
  close(): Promise<void>;
}

/** The limit of requests, which must be answered within 10 s. A slow disk syncs a log in less than a second. */
const LIMIT_MS = 8 * SECOND;

/**
 * @param file the log, which exists from the first commit on, and as long as the database is open
 * @param limitMs maximum duration of a call
 */
export function createLogSync(file: string, limitMs = LIMIT_MS): LogSync {
  /** The running sync has exceeded the limit. */
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
      handle ??= await open(file, 'r').catch((cause) => {
        throw notSynced(cause);
      });
      await handle.datasync().catch((cause) => {
        failure ??= notSynced(cause);
      });
    } finally {
      clearTimeout(timer);
      isHanging = false;
      running = null;
    }
    if (failure) throw failure;
  }

  async function runAfter(previous: Promise<void>): Promise<void> {
    await previous.catch(() => {});
    next = null;
    running = run();
    await running;
  }

  function start(): Promise<void> {
    if (running) {
      // The one that runs may have begun before the commit of the caller.
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
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => reject(notResponding(true)), limitMs);
    start().then(resolve, reject);
    await promise.finally(() => clearTimeout(timer));
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

function notSynced(cause: unknown): Unavailable {
  return new Unavailable('database', 'the log could not be synced', { cause, isUnknown: true });
}
