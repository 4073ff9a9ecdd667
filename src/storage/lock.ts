import type { Database, Transaction } from '../kernel/database/database.ts';
import { notFound } from '../kernel/http/problem.ts';

/**
 * From here to the end of the transaction nobody else changes the tree or the sums of the workspace. Taken before any row of
 * a file, so that no two transactions wait for each other. On SQLite every transaction is alone anyway.
 */
export async function lockWorkspace(database: Database, trx: Transaction, workspaceId: string): Promise<void> {
  if (database.kind === 'postgres') await trx.selectFrom('workspaces').select('id').where('id', '=', workspaceId).forUpdate().execute();
}

/** Sees, with the workspace locked, that a folder found before is still there. @throws Problem 404 */
export async function requireFolder(trx: Transaction, folderId: string): Promise<void> {
  if (!(await trx.selectFrom('folders').select('id').where('id', '=', folderId).executeTakeFirst())) throw notFound();
}
