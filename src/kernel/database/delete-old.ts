import type { DeleteResult } from 'kysely';
import { inBatches } from './batches.ts';
import type { Database, Transaction } from './database.ts';

/** Maximum number of rows that one transaction deletes, so that it delays no others and ends within its time limit. */
export const ROWS_AT_ONCE = 1_000;

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
