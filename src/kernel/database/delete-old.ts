import type { Database, Transaction } from './database.ts';

/** Maximum number of rows that one transaction deletes, so that it delays no others and ends within its time limit. */
export const ROWS_AT_ONCE = 1_000;
/** Time for other transactions between two batches. */
const PAUSE_MS = 5;

/**
 * Deletes rows in short transactions, so that any number of old rows is deleted.
 * @param deleteSome deletes up to `ROWS_AT_ONCE` rows; returns whether there may be more
 */
export async function deleteOld(
  database: Pick<Database, 'transaction'>,
  deleteSome: (trx: Transaction) => Promise<boolean>,
): Promise<void> {
  while (await database.transaction(deleteSome)) await Bun.sleep(PAUSE_MS);
}

/** Reports whether a statement with the limit `ROWS_AT_ONCE` may have left rows. */
export function mayHaveMore({ numDeletedRows }: { numDeletedRows: bigint }): boolean {
  return numDeletedRows >= BigInt(ROWS_AT_ONCE);
}
