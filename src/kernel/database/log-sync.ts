import { type FileHandle, open } from 'node:fs/promises';
import { Unavailable } from '../unavailable.ts';

/** Syncs of the write-ahead log of a SQLite database, on a thread of their own. */
export interface LogSync {
  /**
   * Resolves when all that was committed before the call, by any process, is on the disk. Concurrent calls share a
   * sync.
   * @throws Unavailable when the log cannot be opened, and from the first failure of a sync on: the kernel may have
   *   dropped what it could not write, so a later sync that succeeds would prove nothing
   *   (https://wiki.postgresql.org/wiki/Fsync_Errors)
   */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** @param file the log, which exists from the first commit on, and as long as the database is open */
export function createLogSync(file: string): LogSync {
  let handle: FileHandle | null = null;
  let failure: Unavailable | null = null;
  /** The sync that runs, and the one that follows it. */
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;

  async function run(): Promise<void> {
    try {
      handle ??= await open(file, 'r').catch((cause) => {
        throw notSynced(cause);
      });
      await handle.datasync().catch((cause) => {
        failure ??= notSynced(cause);
      });
    } finally {
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

  return {
    sync() {
      if (running) {
        // The one that runs may have begun before the commit of the caller.
        next ??= runAfter(running);
        return next;
      }
      running = run();
      return running;
    },
    async close() {
      await (next ?? running)?.catch(() => {});
      await handle?.close();
    },
  };
}

function notSynced(cause: unknown): Unavailable {
  return new Unavailable('database', 'the log could not be synced', { cause, isUnknown: true });
}
