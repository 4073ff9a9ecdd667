import type { Selectable } from 'kysely';
import type { Database, Transaction } from '../../kernel/database/database.ts';
import type { FilesTable } from '../tables.ts';
import type { Changed } from '../tree/changes.ts';
import { deleteDependents, deleteLinks, OF_FILES } from '../tree/dependents.ts';
import { RENDITION_KEYS, renditionBlobs, scheduleDeletion } from '../tree/discarded.ts';
import { dropVersionsOf } from '../tree/files/version-rows.ts';
import { lockWorkspace } from '../tree/lock.ts';
import { addBytes } from '../tree/sums.ts';
import type { TrashSpace } from '../tree/trash/space.ts';

const ROWS_AT_ONCE = 200;

export interface ErasureDeps {
  database: Database;
  trashSpace: TrashSpace;
  changed: Changed;
}

/**
 * Erases a batch of what exceeds the quota of the trash, and deletes a batch of the rows of erased files and trees and
 * schedules the deletion of their blobs; returns false when none is left.
 */
export async function deleteErased(
  { database, trashSpace, changed }: ErasureDeps,
  workspaceId: string,
): Promise<boolean> {
  return await database.transaction(async (trx) => {
    await lockWorkspace(database, trx, workspaceId);
    if (await trashSpace.trim(trx, workspaceId)) return true;
    if (await deleteFiles(trx, database, workspaceId, await erasedFiles(trx, workspaceId))) return true;
    const treeId = await erasedTree(trx, workspaceId);
    if (treeId === null) {
      await trx.updateTable('workspaces').set({ is_erasing: 0 }).where('id', '=', workspaceId).execute();
      changed(trx, workspaceId, null);
      return false;
    }
    if (await deleteFiles(trx, database, workspaceId, await filesOfTree(trx, treeId))) return true;
    await deleteFolders(trx, treeId);
    return true;
  });
}

const COLUMNS = ['id', 'blob_key', ...RENDITION_KEYS, 'size_bytes'] as const;

type ErasedFile = Pick<Selectable<FilesTable>, (typeof COLUMNS)[number]>;

async function erasedFiles(trx: Transaction, workspaceId: string): Promise<ErasedFile[]> {
  return await trx
    .selectFrom('files')
    .select(COLUMNS)
    .where('workspace_id', '=', workspaceId)
    .where('trash_id', 'is', null)
    .where('deleted_at', '<=', (of) =>
      of.selectFrom('workspaces').select('trash_since').where('id', '=', workspaceId),
    )
    // In the order of an index, since PostgreSQL would otherwise read all rows to find a few.
    .orderBy('deleted_at')
    .limit(ROWS_AT_ONCE)
    .execute();
}

async function erasedTree(trx: Transaction, workspaceId: string): Promise<string | null> {
  const tree = await trx
    .selectFrom('trash_trees')
    .innerJoin('workspaces', 'workspaces.id', 'trash_trees.workspace_id')
    .select('trash_trees.id')
    .where('workspace_id', '=', workspaceId)
    .where((where) =>
      where.or([
        where('state', '=', 'erasing'),
        where.and([
          where('state', '=', 'kept'),
          where('trash_trees.deleted_at', '<=', where.ref('trash_since')),
        ]),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return tree?.id ?? null;
}

async function filesOfTree(trx: Transaction, treeId: string): Promise<ErasedFile[]> {
  return await trx
    .selectFrom('files')
    .select(COLUMNS)
    .where('trash_id', '=', treeId)
    .where('deleted_at', 'is not', null)
    .limit(ROWS_AT_ONCE)
    .execute();
}

/** Deletes files, or first a batch of the rows that depend on them. Returns false when there are no files. */
async function deleteFiles(
  trx: Transaction,
  database: Database,
  workspaceId: string,
  files: readonly ErasedFile[],
): Promise<boolean> {
  if (files.length === 0) return false;
  const ids = files.map(({ id }) => id);
  if (await deleteDependents(trx, OF_FILES, ids)) return true;
  if (await dropVersionsOf(trx, database, workspaceId, ids)) return true;
  const blobs = files.flatMap((file) => [
    { key: file.blob_key, bytes: file.size_bytes },
    ...renditionBlobs(file),
  ]);
  // Their bytes were counted when they were erased.
  const known = await scheduleDeletion(trx, database, workspaceId, blobs);
  await addBytes(trx, workspaceId, { erased_bytes: -known });
  await trx.deleteFrom('files').where('id', 'in', ids).execute();
  return true;
}

/** Deletes a batch of the folders of a tree whose files are deleted; after the last folder also the tree. */
async function deleteFolders(trx: Transaction, treeId: string): Promise<void> {
  const folders = await trx
    .selectFrom('trash_folders')
    .select('id')
    .where('tree_id', '=', treeId)
    .limit(ROWS_AT_ONCE)
    .execute();
  const ids = folders.map(({ id }) => id);
  if (ids.length > 0) {
    if (await deleteLinks(trx, 'folder_id', ids)) return;
    await trx.deleteFrom('trash_folders').where('id', 'in', ids).execute();
  }
  if (ids.length === ROWS_AT_ONCE) return;
  // An older program, without trees, may have restored some of its files.
  await trx.updateTable('files').set({ trash_id: null }).where('trash_id', '=', treeId).execute();
  await trx.deleteFrom('trash_trees').where('id', '=', treeId).execute();
}
