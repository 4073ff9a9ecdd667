import type { DeleteResult } from 'kysely';
import type { Database, Transaction } from './database.ts';

/** Maximum number of rows that one transaction deletes, so that it delays no others and ends within its time limit. */
export const ROWS_AT_ONCE = 1_000;
/** Time for other transactions between two batches. */
const PAUSE_MS = 5;

/**
 * Deletes any number of rows in short transactions.
 * @param deleteRows one statement that deletes up to `ROWS_AT_ONCE` rows
 */
export async function deleteOld(
  database: Pick<Database, 'transaction'>,
  deleteRows: (trx: Transaction) => Promise<DeleteResult>,
): Promise<void> {
  await inBatches(database, async (trx) => (await deleteRows(trx)).numDeletedRows >= BigInt(ROWS_AT_ONCE));
}

/** Calls `work` in one transaction after another until it returns false. */
export async function inBatches(
  database: Pick<Database, 'transaction'>,
  work: (trx: Transaction) => Promise<boolean>,
): Promise<void> {
  while (await database.transaction(work)) await Bun.sleep(PAUSE_MS);
}
