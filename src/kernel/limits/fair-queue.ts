import { Problem, tooMany } from '../problem.ts';
import { createTally } from '../tally.ts';
import { createRoundRobin, PROGRAM } from './round-robin.ts';

interface FairQueueLimits {
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

/**
 * Runs `work` when it is the turn of `owner`: owners take turns, and the calls of one owner run in their order.
 * @throws Problem 429 `rate_limited` when too many calls of this owner wait, 503 `unavailable` when too many wait or
 *   this one has waited too long; errors of `work`
 */
export type FairQueue = <Result>(owner: string, work: () => Promise<Result>) => Promise<Result>;

interface Waiting {
  owner: string;
  start(): void;
}

const RETRY_MS = 1_000;

/** Distributes bounded resources between owners, so that the many calls of one do not delay the few of another. */
export function createFairQueue(limits: FairQueueLimits): FairQueue {
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

  /** Resolves when the call may run, which then counts as running. */
  async function turn(owner: string): Promise<void> {
    if (running.total < limits.running && mayRun(owner)) return void running.add(owner, 1);
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
  }

  return async (owner, work) => {
    await turn(owner);
    try {
      return await work();
    } finally {
      running.add(owner, -1);
      startNext();
    }
  };
}

function busy(): Problem {
  return new Problem('unavailable', 'The server is busy. Try again in a moment.', { retryAfterMs: RETRY_MS });
}

/**
 * Returns a function that acquires a permit, waiting like a call of a fair queue, and returns the function that
 * releases it.
 * @throws Problem 429 `rate_limited`, 503 `unavailable`
 */
export function createSemaphore(limits: FairQueueLimits): (owner: string) => Promise<() => void> {
  const inTurn = createFairQueue(limits);
  return (owner) =>
    new Promise((resolve, reject) => {
      inTurn(owner, () => new Promise<void>(resolve)).catch(reject);
    });
}
