import type { Database, Transaction } from '../../kernel/database/database.ts';

/**
 * Locks the tree and the sums of a workspace until the end of the transaction. Taken before any row of a file, so that
 * transactions cannot deadlock. SQLite runs one transaction at a time and needs no lock.
 */
export async function lockWorkspace(
  database: Database,
  trx: Transaction,
  workspaceId: string,
): Promise<void> {
  if (database.kind === 'postgres')
    await trx.selectFrom('workspaces').select('id').where('id', '=', workspaceId).forUpdate().execute();
}

/** Locks workspaces, in one order for all transactions. */
export async function lockWorkspaces(
  database: Database,
  trx: Transaction,
  ids: readonly string[],
): Promise<void> {
  for (const id of new Set([...ids].sort())) await lockWorkspace(database, trx, id);
}
