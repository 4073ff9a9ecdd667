import type { Database, Transaction } from './database.ts';

/** Runs `work` in a transaction. Calls `committed`, which does not throw, when it is committed. */
export type Transact = <Result>(
  work: (trx: Transaction) => Promise<Result>,
  committed: () => void,
) => Promise<Result>;

/** Returns transactions with calls that follow their commit. */
export function withAfterCommit(transact: Transact): Pick<Database, 'transaction' | 'afterCommit'> {
  const byTransaction = new WeakMap<Transaction, (() => void)[]>();
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
        () => {
          for (const call of calls) call();
        },
      );
    },
  };
}
