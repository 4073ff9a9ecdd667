import type { Selectable } from 'kysely';
import type { Transaction } from '../../../kernel/database/database.ts';
import { notFound } from '../../../kernel/problem.ts';
import { nameKey } from '../../../text/name-key.ts';
import type { FilesTable } from '../../tables.ts';
import { deleteDependents, OF_FILES } from '../dependents.ts';
import { renditionBlobs } from '../discarded.ts';
import { resolveConflict } from '../files/conflicts.ts';
import { fromRow, type StoredFile } from '../files/file.ts';
import { dropVersionsOf } from '../files/version-rows.ts';
import { lockWorkspace } from '../lock.ts';
import { findOrCreatePlace, placeIn, placeInTree, placeOf } from './places.ts';
import type { OnRestoreConflict, TrashDeps } from './trees.ts';

/** Moves a file to the trash. @throws Problem 404 */
export async function removeFile(
  trx: Transaction,
  { database, trashSpace }: Pick<TrashDeps, 'database' | 'trashSpace'>,
  { id, workspaceId }: Pick<StoredFile, 'id' | 'workspaceId'>,
  deletedBy: string | null,
): Promise<void> {
  await lockWorkspace(database, trx, workspaceId);
  const file = await trx
    .selectFrom('files')
    .select(['folder_id', 'size_bytes'])
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow(notFound);
  const deletedAt = await trashSpace.deletionTime(trx, workspaceId);
  await trx
    .updateTable('files')
    .set({
      deleted_at: deletedAt,
      deleted_by: deletedBy,
      trash_id: null,
      place: JSON.stringify(await placeIn(trx, file.folder_id)),
    })
    .where('id', '=', id)
    .execute();
  await trashSpace.keep(trx, workspaceId, file.size_bytes, deletedAt);
}

/**
 * Moves a file back to its place, even out of a deleted folder, whose other files stay. @throws Problem 404, 409, 507
 */
export async function restoreFile(
  trx: Transaction,
  deps: TrashDeps,
  found: StoredFile,
  onConflict: OnRestoreConflict,
): Promise<StoredFile> {
  const { workspaceId, sizeBytes } = found;
  const file = await requireDeleted(trx, deps, found);
  await deps.trashSpace.takeBack(trx, workspaceId, sizeBytes);
  await deps.quota.charge(trx, workspaceId, sizeBytes, null);
  const place = file.trash_id === null ? await placeOf(trx, file) : await leaveTree(trx, file, file.trash_id);
  const folderId = await findOrCreatePlace(trx, deps.clock, workspaceId, place);
  const naming = { folderId, name: file.original_name, fileId: file.id, onConflict };
  const { name } = await resolveConflict(trx, naming);
  const row = await trx
    .updateTable('files')
    .set({
      deleted_at: null,
      deleted_by: null,
      trash_id: null,
      place: null,
      folder_id: folderId,
      original_name: name,
      name_key: nameKey(name),
    })
    .where('id', '=', file.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return fromRow(row);
}

/**
 * Erases a deleted file, which must not be part of a tree, or only a batch of the rows that refer to it; reports
 * whether it must be called again. @throws Problem 404
 */
export async function eraseFile(trx: Transaction, deps: TrashDeps, found: StoredFile): Promise<boolean> {
  const row = await requireDeleted(trx, deps, found);
  const { id, trash_id, blob_key, workspace_id, size_bytes } = row;
  if (trash_id !== null) throw notFound();
  if (await deleteDependents(trx, OF_FILES, [id])) return true;
  await deps.trashSpace.takeBack(trx, workspace_id, size_bytes);
  await dropVersionsOf(trx, deps.database, workspace_id, [id]);
  await trx.deleteFrom('files').where('id', '=', id).execute();
  await deps.trashSpace.discard(trx, workspace_id, [
    { key: blob_key, bytes: size_bytes },
    ...renditionBlobs(row),
  ]);
  return false;
}

/** Locks the workspace and reads a deleted file. @throws Problem 404 when it is no longer in the trash */
async function requireDeleted(
  trx: Transaction,
  { database, trashSpace }: TrashDeps,
  { id, workspaceId }: StoredFile,
): Promise<Selectable<FilesTable>> {
  await lockWorkspace(database, trx, workspaceId);
  return await trx
    .selectFrom('files')
    .selectAll('files')
    .leftJoin('trash_trees', 'trash_trees.id', 'files.trash_id')
    .where('files.id', '=', id)
    .where('files.workspace_id', '=', workspaceId)
    .where('files.deleted_at', '>=', await trashSpace.keptSince(trx, workspaceId))
    .where((where) => where.or([where('trash_id', 'is', null), where('trash_trees.state', '=', 'kept')]))
    .executeTakeFirstOrThrow(notFound);
}

/** Takes a file out of its tree; returns its place. */
async function leaveTree(
  trx: Transaction,
  { folder_id, size_bytes }: Pick<FilesTable, 'folder_id' | 'size_bytes'>,
  treeId: string,
) {
  const tree = await trx
    .updateTable('trash_trees')
    .set((set) => ({
      size_bytes: set('size_bytes', '-', size_bytes),
      file_count: set('file_count', '-', 1),
    }))
    .where('id', '=', treeId)
    .returning(['id', 'place'])
    .executeTakeFirstOrThrow();
  return await placeInTree(trx, tree, folder_id);
}
