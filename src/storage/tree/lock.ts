import type { Database, Transaction } from '../../kernel/database/database.ts';
import { notFound } from '../../kernel/problem.ts';
import { findFile, fromRow, type StoredFile } from './files/file.ts';
import { findFolder } from './folders/folder.ts';
import { memberOf } from './member.ts';

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

/** Identifies a row that was found in a workspace. */
export interface FoundRow {
  id: string;
  workspaceId: string;
}

/**
 * Checks, with the workspace locked, that a folder found before is still in it.
 * @param by id of the member that changes it, whose role is checked again; null = no member
 * @throws Problem 404, 403 `role_insufficient`
 */
export async function requireFolder(
  trx: Transaction,
  { id, workspaceId }: FoundRow,
  by: string | null = null,
): Promise<void> {
  if (by === null) return await requireFolders(trx, workspaceId, new Set([id]));
  const found = await findFolder(trx, memberOf(by, 'editor'), id);
  if (found.workspaceId !== workspaceId) throw notFound();
}

/** As `requireFolder`, for several folders of a workspace. @throws Problem 404 when one of them is gone */
export async function requireFolders(
  trx: Transaction,
  workspaceId: string,
  ids: ReadonlySet<string>,
): Promise<void> {
  const rows = await trx
    .selectFrom('folders')
    .select('id')
    .where('id', 'in', [...ids])
    .where('workspace_id', '=', workspaceId)
    .where('deleted_at', 'is', null)
    .execute();
  if (rows.length < ids.size) throw notFound();
}

/**
 * Reads, with the workspace locked, a file found before.
 * @param by id of the member that changes it, whose role is checked again; null = no member
 * @throws Problem 404 when it was deleted, restored or moved to another workspace meanwhile, 403 `role_insufficient`
 */
export async function requireFile(
  trx: Transaction,
  { id, workspaceId }: FoundRow,
  by: string | null = null,
): Promise<StoredFile> {
  if (by !== null) {
    const { role, ...file } = await findFile(trx, memberOf(by, 'editor'), id, 'live');
    if (file.workspaceId !== workspaceId) throw notFound();
    return file;
  }
  const row = await trx
    .selectFrom('files')
    .selectAll()
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!row) throw notFound();
  return fromRow(row);
}
