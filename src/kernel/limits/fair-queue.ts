import { Problem, tooMany } from '../problem.ts';
import { createTally } from '../tally.ts';
import { createRoundRobin, PROGRAM } from './round-robin.ts';

export interface FairQueueLimits {
  /** Maximum number of calls that run at once. */
  running: number;
  /**
   * Maximum number of running calls of one owner, except `PROGRAM`. Less than `running` leaves room for the others.
   */
  runningEach: number;
  /** Maximum number of waiting calls, of all owners and of each. */
  waiting: number;
  waitingEach: number;
  /** Maximum time for which a call waits, ms. */
  waitMs: number;
}

/** Permits for bounded resources. Owners take turns, so that the many calls of one do not delay the few of another. */
export interface Semaphore {
  /**
   * Waits for a permit, and returns the function that releases it. An owner gets permits in the order of the calls.
   * @throws Problem 429 `rate_limited` when too many calls of this owner wait, 503 `unavailable` when too many wait or
   *   this one has waited too long
   */
  acquire(owner: string): Promise<() => void>;
  /** Returns the function that releases a permit, or null when there is none without a wait. */
  tryAcquire(owner: string): (() => void) | null;
}

/** Runs `work` with a permit. @throws Problem as `Semaphore.acquire`; errors of `work` */
export type FairQueue = <Result>(owner: string, work: () => Promise<Result>) => Promise<Result>;

interface Waiting {
  owner: string;
  start(): void;
}

const RETRY_MS = 1_000;

export function createSemaphore(limits: FairQueueLimits): Semaphore {
  const waiting = createRoundRobin<Waiting>();
  const running = createTally<string>();

  const mayRun = (owner: string) => owner === PROGRAM || running.of(owner) < limits.runningEach;

  function startNext(): void {
    while (running.total < limits.running) {
      const next = waiting.take(mayRun);
      if (!next) return;
      running.add(next.owner, 1);
      next.start();
    }
  }

  const releaseOf = (owner: string) => () => {
    running.add(owner, -1);
    startNext();
  };

  function tryAcquire(owner: string): (() => void) | null {
    if (running.total >= limits.running || !mayRun(owner)) return null;
    running.add(owner, 1);
    return releaseOf(owner);
  }

  return {
    tryAcquire,
    async acquire(owner) {
      const free = tryAcquire(owner);
      if (free) return free;
      if (waiting.sizeOf(owner) >= limits.waitingEach)
        throw tooMany('rate_limited', 'Too many requests at once. Try again in a moment.', RETRY_MS);
      if (waiting.size >= limits.waiting) throw busy();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const call = { owner, start: resolve };
      waiting.add(owner, call);
      const timer = setTimeout(() => {
        waiting.remove(owner, call);
        reject(busy());
      }, limits.waitMs);
      await promise.finally(() => clearTimeout(timer));
      return releaseOf(owner);
    },
  };
}

export function createFairQueue(limits: FairQueueLimits): FairQueue {
  const { acquire } = createSemaphore(limits);
  return async (owner, work) => {
    const release = await acquire(owner);
    try {
      return await work();
    } finally {
      release();
    }
  };
}

function busy(): Problem {
  return new Problem('unavailable', 'The server is busy. Try again in a moment.', { retryAfterMs: RETRY_MS });
}
