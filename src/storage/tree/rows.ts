import type { Database, Transaction } from '../../kernel/database/database.ts';
import { notFound } from '../../kernel/problem.ts';
import { type FindFile, fromRow, prepareFindFile, type StoredFile } from './files/file.ts';
import { type FindFolder, prepareFindFolder } from './folders/folder.ts';
import type { FoundRow } from './found-row.ts';
import { memberOf } from './member.ts';

/** Finds the rows of files and folders that are not deleted. */
export interface Rows {
  findFile: FindFile;
  findFolder: FindFolder;
  /**
   * Checks, with the workspace locked, that a folder found before is still in it.
   * @param by id of the member that changes it, whose role is checked again; null = no member
   * @throws Problem 404, 403 `role_insufficient`
   */
  requireFolder(trx: Transaction, found: FoundRow, by: string | null): Promise<void>;
  /**
   * Reads, with the workspace locked, a file found before.
   * @param by id of the member that changes it, whose role is checked again; null = no member
   * @throws Problem 404 when it was deleted, restored or moved to another workspace meanwhile, 403 `role_insufficient`
   */
  requireFile(trx: Transaction, found: FoundRow, by?: string | null): Promise<StoredFile>;
}

export function createRows(database: Database): Rows {
  const findFile = prepareFindFile(database, 'live');
  const findFolder = prepareFindFolder(database);
  return {
    findFile,
    findFolder,
    async requireFolder(trx, { id, workspaceId }, by) {
      if (by === null) return await requireFolders(trx, workspaceId, new Set([id]));
      const found = await findFolder(trx, memberOf(by, 'editor'), id);
      if (found.workspaceId !== workspaceId) throw notFound();
    },
    async requireFile(trx, found, by = null) {
      if (by === null) return await readFile(trx, found);
      const { role, ...file } = await findFile(trx, memberOf(by, 'editor'), found.id);
      if (file.workspaceId !== found.workspaceId) throw notFound();
      return file;
    },
  };
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

async function readFile(trx: Transaction, { id, workspaceId }: FoundRow): Promise<StoredFile> {
  const row = await trx
    .selectFrom('files')
    .selectAll()
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow(notFound);
  return fromRow(row);
}
