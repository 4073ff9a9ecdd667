import type { Database, Transaction } from './database.ts';

/** Time for other transactions between two batches, ms. */
export const BATCH_PAUSE_MS = 2;

/** Calls `work` until it returns false, with pauses for other transactions. */
export async function repeatWithPauses(work: () => Promise<boolean>): Promise<void> {
  while (await work()) await Bun.sleep(BATCH_PAUSE_MS);
}

/** Calls `work` in one transaction after another until it returns false, with pauses for others. */
export async function inBatches(
  database: Pick<Database, 'transaction'>,
  work: (trx: Transaction) => Promise<boolean>,
): Promise<void> {
  await repeatWithPauses(() => database.transaction(work));
}
