import type { Callers } from '../../limits/callers.ts';
import { PROGRAM } from '../../limits/round-robin.ts';

/**
 * Limits the share of the event loop's time that transactions take while others read. On SQLite, a transaction blocks
 * the event loop, so long ones, or many from one caller, would let others complete one read per group of transactions.
 * When nobody else reads, there is no limit.
 */
export interface WritePace {
  /** Reports whether transactions of an owner may run now. Ask again after the next turn of the event loop. */
  mayRun(owner: string): boolean;
  /** Records the duration of a transaction of an owner, ms. */
  charge(owner: string, ms: number): void;
}

interface Share {
  /** Milliseconds left to everyone else per millisecond of transactions. */
  rest: number;
  /** Maximum delay of the next transaction. */
  maxMs: number;
}

const OF_ONE_CALLER: Share = { rest: 3, maxMs: 100 };
/** Short, since a long transaction of one owner must not delay those of others for as long. */
const OF_ALL: Share = { rest: 1, maxMs: 10 };
/** Debt up to which transactions run: longer, rarer pauses leave larger groups, which share a commit. */
const TOLERANCE_MS = 6;
/** Time within which a client that reads without pause sends its next request. */
const THINK_MS = 2;

/**
 * @param lastReadByOthers returns the time of the last read by others than an owner
 * @param clock the clock of these times, ms
 */
export function createWritePace(
  lastReadByOthers: Callers['lastReadByOthers'],
  clock = () => performance.now(),
): WritePace {
  const all = createDebt(OF_ALL);
  /** In the order of the last transactions. */
  const debts = new Map<string, Debt>();

  function forgetPaid(now: number): void {
    for (const [owner, debt] of debts) {
      if (debt.left(now) > 0) return;
      debts.delete(owner);
    }
  }

  return {
    mayRun(owner) {
      const now = clock();
      const waitsForOwn = debts.get(owner)?.mustWait(now) ?? false;
      const waitsForAll = all.mustWait(now);
      return !(waitsForOwn || waitsForAll) || now - lastReadByOthers(owner) > THINK_MS;
    },
    charge(owner, ms) {
      const now = clock();
      all.add(ms, now);
      // Work of the program serves all callers.
      if (owner === PROGRAM) return;
      const debt = debts.get(owner) ?? createDebt(OF_ONE_CALLER);
      debts.delete(owner);
      debts.set(owner, debt);
      debt.add(ms, now);
      forgetPaid(now);
    },
  };
}

interface Debt {
  add(ms: number, now: number): void;
  /** Returns the time that still belongs to others, ms. */
  left(now: number): number;
  /** Reports whether transactions must wait: from the tolerance on, until the debt is paid. */
  mustWait(now: number): boolean;
}

function createDebt({ rest, maxMs }: Share): Debt {
  let until = Number.NEGATIVE_INFINITY;
  let isWaiting = false;
  return {
    add(ms, now) {
      until = Math.min(Math.max(until, now) + ms * rest, now + maxMs);
    },
    left: (now) => until - now,
    mustWait(now) {
      isWaiting = until - now > (isWaiting ? 0 : TOLERANCE_MS);
      return isWaiting;
    },
  };
}
