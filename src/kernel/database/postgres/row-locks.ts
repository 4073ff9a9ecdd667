import type { Callers } from '../../limits/callers.ts';
import { createKeyedSemaphores } from '../../limits/keyed-semaphores.ts';
import type { LockableRow, Transaction } from '../database.ts';
import { postgresUnavailable } from './errors.ts';

/** A transaction must wait for the lock of a row, and another one waits already: it must be repeated in its turn. */
class RowLocked extends Error {
  readonly id: string;

  constructor(id: string) {
    super('another transaction has locked the row');
    this.id = id;
  }
}

interface RowLocksDeps {
  /** Maximum time for which a transaction waits for its turn, ms. */
  waitMs: number;
  caller: Callers['current'];
}

/** The locks of rows that many transactions of one caller may need. */
export interface RowLocks {
  /** Locks a row until the end of a transaction that `run` executes. @param id id of the row */
  lock(trx: Transaction, id: string, row: LockableRow): Promise<void>;
  /**
   * Executes a transaction, and again in its turn if it must wait for a lock for which another one waits already.
   * @param execute calls `begun` with the transaction before its work
   * @throws Unavailable when its turn does not come in time; errors of `execute`
   */
  run<Result>(execute: (begun: (trx: Transaction) => void) => Promise<Result>): Promise<Result>;
}

/** One transaction waits in the database for each row, so that it begins when the lock is free. */
const TURNS = {
  running: 1,
  runningEach: 1,
  waiting: Number.POSITIVE_INFINITY,
  waitingEach: Number.POSITIVE_INFINITY,
};

/**
 * Locks rows so that most transactions wait without a connection. Otherwise those that wait for the lock of one row
 * would use all connections, and delay the transactions of all other callers.
 */
export function createRowLocks({ waitMs, caller }: RowLocksDeps): RowLocks {
  const turns = createKeyedSemaphores({ ...TURNS, waitMs });
  /** Transactions whose turn it is to wait. */
  const inTurn = new WeakSet<Transaction>();
  return {
    async lock(trx, id, row) {
      // FOR UPDATE would also block the checks of foreign keys.
      const locked = row.forNoKeyUpdate();
      if (await locked.skipLocked().executeTakeFirst()) return;
      if (inTurn.has(trx)) return void (await locked.execute());
      const release = turns.tryAcquire(id, caller());
      if (!release) throw new RowLocked(id);
      try {
        await locked.execute();
      } finally {
        release();
      }
    },
    async run(execute) {
      let id: string;
      try {
        return await execute(() => {});
      } catch (error) {
        if (!(error instanceof RowLocked)) throw error;
        id = error.id;
      }
      const release = await turns.acquire(id, caller()).catch(() => {
        throw postgresUnavailable(new Error('too many transactions wait for the lock of a row'));
      });
      try {
        return await execute((trx) => void inTurn.add(trx));
      } finally {
        release();
      }
    },
  };
}
