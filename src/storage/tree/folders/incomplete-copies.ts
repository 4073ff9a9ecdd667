import { type Clock, MINUTE } from '../../../kernel/clock.ts';
import type { Database, Reader, Transaction } from '../../../kernel/database/database.ts';
import { createLeases } from '../../../kernel/leases/leases.ts';
import { FOLDER_COLUMNS, type Folder, folderFromRow } from './folder.ts';

interface CopyLeaseDeps {
  database: Database;
  clock: Clock;
}

/** Longer than a batch of a copy can take on a slow database. */
const LEASE_MS = 5 * MINUTE;

const leasesOf = (deps: CopyLeaseDeps) =>
  createLeases({ table: 'folder_copies', until: 'lease_until' }, { ...deps, lengthMs: LEASE_MS });

/** Marks a folder, which this transaction inserts, as an incomplete copy. */
export async function beginCopy(trx: Transaction, deps: CopyLeaseDeps, id: string): Promise<void> {
  const lease_until = leasesOf(deps).end();
  await trx.insertInto('folder_copies').values({ id, lease_until }).execute();
}

/** Renews the lease of a copy, in the transaction of each batch. */
export async function continueCopy(trx: Transaction, deps: CopyLeaseDeps, id: string): Promise<void> {
  const lease_until = leasesOf(deps).end();
  await trx.updateTable('folder_copies').set({ lease_until }).where('id', '=', id).execute();
}

/** Marks a copy as complete. */
export async function endCopy(trx: Transaction, id: string): Promise<void> {
  await trx.deleteFrom('folder_copies').where('id', '=', id).execute();
}

/** Returns the incomplete copies whose process has died. */
export async function abandonedCopies(reader: Reader, deps: CopyLeaseDeps): Promise<Folder[]> {
  // Not a join, for which SQLite would read all folders.
  const copies = await reader
    .selectFrom('folder_copies')
    .select('id')
    .where(leasesOf(deps).isFree())
    .execute();
  if (copies.length === 0) return [];
  const ids = copies.map(({ id }) => id);
  const rows = await reader
    .selectFrom('folders')
    .select(FOLDER_COLUMNS)
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .execute();
  return rows.map(folderFromRow);
}
