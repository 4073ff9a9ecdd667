import type { Database, Transaction } from './database.ts';

/** Returns transactions with calls that follow their commit. */
export function withAfterCommit(
  transaction: Database['transaction'],
): Pick<Database, 'transaction' | 'afterCommit'> {
  const byTransaction = new WeakMap<Transaction, (() => void)[]>();
  return {
    afterCommit(trx, call) {
      byTransaction.get(trx)?.push(call);
    },
    async transaction(work) {
      let calls: (() => void)[] = [];
      const result = await transaction((trx) => {
        // Anew for each attempt, and for each of the transactions that share a commit.
        calls = [];
        byTransaction.set(trx, calls);
        return work(trx);
      });
      for (const call of calls) call();
      return result;
    },
  };
}
