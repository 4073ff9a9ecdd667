import type { Database, Transaction } from '../../kernel/database/database.ts';
import { notFound } from '../../kernel/problem.ts';
import { type FileState, fromRow, type StoredFile } from './file.ts';

/**
 * Locks the tree and the sums of a workspace until the end of the transaction. Taken before any row of a file, so
 * that no two transactions wait for each other. SQLite runs one transaction at a time and needs no lock.
 */
export async function lockWorkspace(
  database: Database,
  trx: Transaction,
  workspaceId: string,
): Promise<void> {
  if (database.kind === 'postgres')
    await trx.selectFrom('workspaces').select('id').where('id', '=', workspaceId).forUpdate().execute();
}

/** Checks, with the workspace locked, that a folder found before still exists. @throws Problem 404 */
export async function requireFolder(trx: Transaction, folderId: string): Promise<void> {
  const folder = await trx
    .selectFrom('folders')
    .select('id')
    .where('id', '=', folderId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!folder) throw notFound();
}

/**
 * Reads, with the workspace locked, a file found before. @throws Problem 404 when it was deleted, or restored,
 * meanwhile
 */
export async function requireFile(trx: Transaction, id: string, state: FileState): Promise<StoredFile> {
  const row = await trx
    .selectFrom('files')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', state === 'deleted' ? 'is not' : 'is', null)
    .executeTakeFirst();
  if (!row) throw notFound();
  return fromRow(row);
}
