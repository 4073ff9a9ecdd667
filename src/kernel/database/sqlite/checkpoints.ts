import type { Database as BunSqlite } from 'bun:sqlite';
import { SECOND } from '../../clock.ts';
import type { Log } from '../../log.ts';

/** Length of the log, in pages, at which it is copied to the database file: 16 MB. */
const PAGES = 4_000;
/** Commits after which the length of the log is read. */
const COMMITS = 32;
/** Maximum time for which writers wait, so that the log can restart. */
const LAST_PART_MS = 250;
/** Minimum time between two checkpoints. */
const PAUSE_MS = 100;
const PAUSE_AFTER_FAILURE_MS = 5 * SECOND;

/** Checkpoints of a SQLite database in WAL mode (https://www.sqlite.org/wal.html#ckpt). */
export interface Checkpoints {
  /** Call after each commit. Starts a checkpoint when the log is long. */
  committed(): void;
  /** Prevents further checkpoints. */
  stop(): void;
}

interface CheckpointsDeps {
  /** Returns the number of pages in the log. */
  length(): number;
  /**
   * Copies the pages that no reader needs from the log to the database file, in another process. It holds no lock that
   * readers or writers need.
   * @param pages number of pages in the log
   */
  copy(pages: number): Promise<void>;
  /** Runs `work` while no process writes. */
  exclusively(work: () => Promise<void>): Promise<void>;
  log: Log;
  /** Returns milliseconds since any fixed time; never goes back. */
  now?: () => number;
}

/**
 * A checkpoint writes and syncs the database file, which would block the event loop for as long as the disk takes. The
 * first part copies most of the log while others write. The second copies the rest while nothing is written, so that
 * the next transaction restarts the log; when the disk or the other process hangs, the writers continue.
 */
export function createCheckpoints(deps: CheckpointsDeps): Checkpoints {
  const { length, copy, exclusively, log, now = () => performance.now() } = deps;
  let commits = 0;
  let isRunning = false;
  let isStopped = false;
  let nextAt = Number.NEGATIVE_INFINITY;

  async function checkpoint(pages: number): Promise<void> {
    isRunning = true;
    let pause = PAUSE_MS;
    try {
      await copy(pages);
      await copyRest();
    } catch (error) {
      pause = PAUSE_AFTER_FAILURE_MS;
      if (!isStopped) log.warn({ error, pages }, 'a checkpoint failed; the log grows until one succeeds');
    } finally {
      nextAt = now() + pause;
      isRunning = false;
    }
  }

  async function copyRest(): Promise<void> {
    let rest: Promise<void> = Promise.resolve();
    await exclusively(async () => {
      rest = copy(length());
      await Promise.race([rest, Bun.sleep(LAST_PART_MS)]);
    });
    await rest;
  }

  return {
    committed() {
      commits++;
      if (isRunning || isStopped || commits < COMMITS || now() < nextAt) return;
      commits = 0;
      const pages = length();
      if (pages >= PAGES) void checkpoint(pages);
    },
    stop() {
      isStopped = true;
    },
  };
}

// `Checkpoints` keeps the log short; a checkpoint by the writer would block the event loop.
const NO_CHECKPOINTS = 'pragma wal_autocheckpoint = 0';
/** First version of SQLite that can measure its log. Earlier ones, as on macOS, copy it automatically at each 4 MB. */
const MEASURES_LOG = '>=3.51.0';

/**
 * Disables the automatic checkpoints of `writer`, and returns a function that returns the length of the log in pages.
 * Earlier versions of SQLite keep their automatic checkpoints; for them the function returns 0.
 */
export function lengthOfLog(reader: BunSqlite, writer: BunSqlite): () => number {
  const version = reader.query<{ version: string }, []>('select sqlite_version() as version').get();
  if (!version || !Bun.semver.satisfies(version.version, MEASURES_LOG)) return () => 0;
  writer.run(NO_CHECKPOINTS);
  const length = reader.query<{ log: number }, []>('pragma wal_checkpoint(noop)');
  return () => length.get()?.log ?? 0;
}
