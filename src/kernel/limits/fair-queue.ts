import { Problem, tooMany } from '../problem.ts';
import { createTally } from '../tally.ts';

interface FairQueueLimits {
  /** Maximum number of calls that run at once. */
  running: number;
  /** Maximum number of running calls of one owner. Less than `running` leaves a place for the others. */
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
  start(): void;
}

const RETRY_MS = 1_000;

/** Distributes bounded resources between owners, so that the many calls of one do not delay the few of another. */
export function createFairQueue(limits: FairQueueLimits): FairQueue {
  /** Waiting calls by owner, in the order of the owners' turns. An owner without waiting calls is removed. */
  const queues = new Map<string, Set<Waiting>>();
  const running = createTally<string>();
  let waitingCount = 0;

  const mayRun = (owner: string) => running.total < limits.running && running.of(owner) < limits.runningEach;

  function startNext(): void {
    for (const [owner, queue] of queues) {
      if (running.total >= limits.running) return;
      const [next] = queue;
      if (!next || !mayRun(owner)) continue;
      leave(owner, next);
      // To the end of the order.
      if (queues.delete(owner) && queue.size > 0) queues.set(owner, queue);
      running.add(owner, 1);
      next.start();
    }
  }

  function leave(owner: string, waiting: Waiting): void {
    const queue = queues.get(owner);
    if (!queue?.delete(waiting)) return;
    waitingCount--;
    if (queue.size === 0) queues.delete(owner);
  }

  /** Resolves when the call may run, which then counts as running. */
  async function turn(owner: string): Promise<void> {
    if (mayRun(owner)) return void running.add(owner, 1);
    const queue = queues.get(owner) ?? new Set();
    if (queue.size >= limits.waitingEach)
      throw tooMany('rate_limited', 'Too many requests at once. Try again in a moment.', RETRY_MS);
    if (waitingCount >= limits.waiting) throw busy();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { start: resolve };
    queues.set(owner, queue.add(waiting));
    waitingCount++;
    const timer = setTimeout(() => {
      leave(owner, waiting);
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
 * Returns a function that waits for a place like a call of a fair queue, and returns the function that frees it.
 * @throws Problem 429 `rate_limited`, 503 `unavailable`
 */
export function createPlaces(limits: FairQueueLimits): (owner: string) => Promise<() => void> {
  const inTurn = createFairQueue(limits);
  return (owner) =>
    new Promise((resolve, reject) => {
      inTurn(owner, () => new Promise<void>(resolve)).catch(reject);
    });
}
