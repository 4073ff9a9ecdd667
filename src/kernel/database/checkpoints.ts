import type { Database as BunSqlite } from 'bun:sqlite';
import { join } from 'node:path';
import { SECOND } from '../clock.ts';
import { createCompute } from '../compute/compute.ts';
import type { Log } from '../log.ts';
import type { CheckpointMode } from './checkpoint-child.ts';

/** Pages of the log from which on they are copied to the database file: 16 MB. */
const PAGES = 4_000;
/** Commits after which the length of the log is read. */
const COMMITS = 32;

/** Checkpoints of a SQLite database in WAL mode (https://www.sqlite.org/wal.html#ckpt), in a child process. */
export interface Checkpoints {
  /** Call after each commit. Starts a checkpoint when the log is long. */
  committed(): void;
  /** Resolves when no checkpoint needs the write lock. Call before taking it. */
  isFree(): Promise<void>;
  stop(): void;
}

interface CheckpointsDeps {
  file: string;
  connection: BunSqlite;
  log: Log;
  pages?: number;
}

/**
 * A checkpoint writes and syncs the database file, which would block the event loop for as long as the disk takes. The
 * first part copies most of the log beside the writers; the second copies the rest while this process does not write,
 * so that the next transaction begins the log anew.
 */
export function createCheckpoints({ file, connection, log, pages = PAGES }: CheckpointsDeps): Checkpoints {
  const compute = createCompute({
    name: 'checkpoint',
    log,
    program: join(import.meta.dir, 'checkpoint-child.ts'),
    args: [file],
    children: 1,
    ms: 10 * SECOND,
    limits: { cpuSeconds: 600, memory: 268_435_456 },
    output: 1_000,
  });
  const length = connection.query<{ log: number }, []>('pragma wal_checkpoint(noop)');
  const run = (mode: CheckpointMode) => compute.run('server', { value: mode });
  let commits = 0;
  let isRunning = false;
  let last: Promise<unknown> = Promise.resolve();

  async function checkpoint(): Promise<void> {
    isRunning = true;
    try {
      await run('passive');
      last = run('restart').catch(() => {});
      await last;
    } catch (error) {
      log.warn({ err: error }, 'a checkpoint failed; the log grows until one succeeds');
    } finally {
      isRunning = false;
    }
  }

  return {
    committed() {
      commits++;
      if (isRunning || commits < COMMITS) return;
      commits = 0;
      if ((length.get()?.log ?? 0) >= pages) void checkpoint();
    },
    isFree: async () => void (await last),
    stop: compute.stop,
  };
}
