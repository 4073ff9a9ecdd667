import { inThisContext } from '../limits/callers.ts';
import type { Database, Transaction } from './database.ts';

/** Runs `work` in a transaction. Calls `committed`, which must not throw, once it is committed. */
export type Transact = <Result>(
  work: (trx: Transaction) => Promise<Result>,
  committed: () => void,
) => Promise<Result>;

/** Adds to `transact` the calls that run after the commit of a transaction. */
export function withAfterCommit(transact: Transact): Pick<Database, 'transaction' | 'afterCommit'> {
  const byTransaction = new WeakMap<Transaction, (() => void)[]>();
  // They start work for other callers, such as deliveries.
  const callAll = inThisContext((calls: readonly (() => void)[]) => {
    for (const call of calls) call();
  });
  return {
    afterCommit(trx, call) {
      byTransaction.get(trx)?.push(call);
    },
    transaction(work) {
      let calls: (() => void)[] = [];
      return transact(
        (trx) => {
          // A new list for each attempt, and for each of the transactions that share a commit.
          calls = [];
          byTransaction.set(trx, calls);
          return work(trx);
        },
        () => callAll(calls),
      );
    },
  };
}
