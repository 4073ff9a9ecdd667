import { SECOND } from '../clock.ts';
import { nextRound } from '../event-loop/next-round.ts';
import type { Claim } from './claim-runs.ts';
import type { Deliveries } from './deliveries.ts';
import type { Unrecorded } from './unrecorded.ts';

/** Longest time between two queries for due rows: finds rows whose signal was lost or whose worker died. */
const POLL_MS = 15 * SECOND;
/** Delay before the next attempt to claim due rows that could not be claimed. */
const RETRY_MS = 50;
/**
 * Time for which a cycle waits for running deliveries to finish, so that they share its commit. Without the
 * wait, 9 % fewer messages are accepted and delivered per second (`npm run bench -- chat`).
 */
const GATHER_MS = 4;
/** Share of the concurrency that is added for clients without a run under way. */
const EXTRA_PART = 1 / 4;
/** Pause after an error of the database. */
export const PAUSE_MS = SECOND;

/** Numbers of runs to claim, as in `Claim`. */
export type Capacity = Pick<Claim, 'runs' | 'extra'>;
const NO_CAPACITY: Capacity = { runs: 0, extra: 0 };

interface CyclesDeps {
  deliveries: Pick<Deliveries, 'active' | 'aborted'>;
  unrecorded: Pick<Unrecorded, 'size'>;
  /**
   * Maximum number of runs that are delivered, or whose outcomes could not be recorded, at a time. A quarter more are
   * started for clients that have none.
   */
  concurrency: number;
  /** Records finished attempts, claims due rows and starts their delivery. */
  recordAndStart(): Promise<void>;
  /** Returns the time until the next row is due, in ms (0 or less = now); null = no such row. */
  nextDueInMs(): Promise<number | null>;
  /** Called after an error of `recordAndStart` or `nextDueInMs`. The next cycle follows after a pause. */
  failed(error: unknown): void;
}

/** The cycles of a worker, one at a time, each when there is work. */
export interface Cycles {
  readonly isStopping: boolean;
  /** Returns how many runs can be started now; none after `stop`. */
  freeCapacity(): Capacity;
  /** Runs a cycle now; while one is running, another one follows it. */
  run(): void;
  /** Runs cycles until all deliveries are recorded, or are aborted, and schedules no more. */
  stop(): Promise<void>;
}

export function createCycles({
  deliveries,
  unrecorded,
  concurrency,
  recordAndStart,
  nextDueInMs,
  failed,
}: CyclesDeps): Cycles {
  const idle = Promise.withResolvers<void>();
  let stopping = false;
  let running: Promise<void> | null = null;
  let runAgain = false;
  let timer: Timer | undefined;

  const allExtra = Math.floor(concurrency * EXTRA_PART);

  function freeCapacity(): Capacity {
    if (stopping) return NO_CAPACITY;
    const free = concurrency - deliveries.active - unrecorded.size;
    return { runs: Math.max(0, free), extra: Math.max(0, Math.min(allExtra, allExtra + free)) };
  }

  /** Records finished attempts and claims due rows, each time in one transaction, until there is nothing to do. */
  async function cycle(): Promise<void> {
    do {
      // Deliveries that finish together are recorded together.
      await nextRound();
      if (deliveries.active > 0 && !stopping) await Bun.sleep(GATHER_MS);
      runAgain = false;
      await recordAndStart();
      if (!runAgain && !stopping) await scheduleNext();
    } while (runAgain);
  }

  async function scheduleNext(): Promise<void> {
    const dueInMs = await nextDueInMs();
    if (dueInMs === null || dueInMs > POLL_MS) schedule(POLL_MS, checkDue);
    else if (dueInMs > 0) schedule(dueInMs);
    // A row that is due already waits for free capacity, was added just now, or is being claimed by another node.
    else schedule(freeCapacity().runs > 0 ? RETRY_MS : POLL_MS);
  }

  function schedule(ms: number, then = run): void {
    clearTimeout(timer);
    // A cycle that failed before it could record outcomes is repeated in any case.
    if (!stopping || unrecorded.size > 0) timer = setTimeout(then, Math.max(1, ms));
  }

  function run(): void {
    runAgain = true;
    begin(cycle);
  }

  /** Schedules the next cycle with one read, where a cycle would begin a transaction although nothing is due. */
  function checkDue(): void {
    begin(scheduleNext);
  }

  function begin(task: () => Promise<void>): void {
    if (running) return;
    running = task()
      .catch((error) => {
        runAgain = false;
        failed(error);
        schedule(PAUSE_MS);
      })
      .finally(() => {
        running = null;
        if (runAgain) run();
        else if (stopping && deliveries.active === 0 && unrecorded.size === 0) idle.resolve();
      });
  }

  return {
    get isStopping() {
      return stopping;
    },
    freeCapacity,
    run,
    async stop() {
      stopping = true;
      clearTimeout(timer);
      run();
      await Promise.race([idle.promise, deliveries.aborted]);
      await running;
      clearTimeout(timer);
    },
  };
}
