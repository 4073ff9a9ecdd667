import type { Transaction } from '../../../kernel/database/database.ts';
import type { TrashSpace } from './space.ts';
import type { TrashTree } from './tree.ts';

/** Maximum number of rows that one transaction changes, so that it does not delay others. */
const ROWS_AT_ONCE = 500;
const FOLDERS_AT_ONCE = 50;
/** Rows that take as long as the queries of one pass: a line of folders takes as many passes as it has levels. */
const ROWS_OF_A_PASS = 50;

/**
 * Moves a batch of the content of a deleted folder to the trash; reports whether more is left. The files of open
 * folders are moved first, then their subfolders, which are then open.
 */
export async function moveIntoTrash(
  trx: Transaction,
  trashSpace: TrashSpace,
  tree: TrashTree,
): Promise<boolean> {
  for (let rows = 0; rows < ROWS_AT_ONCE; rows += ROWS_OF_A_PASS) {
    const open = await openFolders(trx, tree.id);
    if (open.length === 0) {
      await trx.updateTable('trash_trees').set({ state: 'kept' }).where('id', '=', tree.id).execute();
      await expectErasure(trx, tree);
      return false;
    }
    const sizes = await takeFiles(trx, tree, open);
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    if (sizes.length > 0) {
      await trx
        .updateTable('trash_trees')
        .set((set) => ({
          size_bytes: set('size_bytes', '+', bytes),
          file_count: set('file_count', '+', sizes.length),
        }))
        .where('id', '=', tree.id)
        .execute();
      await trashSpace.keep(trx, tree.workspace_id, bytes, tree.deleted_at);
    }
    rows += sizes.length;
    if (sizes.length === ROWS_AT_ONCE) continue;
    const subfolders = await takeSubfolders(trx, tree.id, open);
    rows += subfolders;
    if (subfolders < ROWS_AT_ONCE)
      await trx.updateTable('trash_folders').set({ is_open: 0 }).where('id', 'in', open).execute();
  }
  return true;
}

/** With it, the collector finds the tree if it was erased while it moved. */
async function expectErasure(trx: Transaction, tree: TrashTree): Promise<void> {
  await trx
    .updateTable('workspaces')
    .set({ is_erasing: 1 })
    .where('id', '=', tree.workspace_id)
    .where('trash_since', '>=', tree.deleted_at)
    .execute();
}

async function openFolders(trx: Transaction, treeId: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('trash_folders')
    .select('id')
    .where('tree_id', '=', treeId)
    .where('is_open', '=', 1)
    .limit(FOLDERS_AT_ONCE)
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns the sizes of the files that were moved. */
async function takeFiles(trx: Transaction, tree: TrashTree, folderIds: readonly string[]): Promise<number[]> {
  const rows = await trx
    .updateTable('files')
    .set({ deleted_at: tree.deleted_at, trash_id: tree.id, deleted_by: null, place: null })
    .where('id', 'in', (from) =>
      from
        .selectFrom('files')
        .select('id')
        .where('folder_id', 'in', folderIds)
        .where('deleted_at', 'is', null)
        .limit(ROWS_AT_ONCE),
    )
    .returning('size_bytes')
    .execute();
  return rows.map(({ size_bytes }) => size_bytes);
}

/** Returns the number of subfolders that were moved. */
async function takeSubfolders(
  trx: Transaction,
  treeId: string,
  folderIds: readonly string[],
): Promise<number> {
  const rows = await trx
    .deleteFrom('folders')
    .where('id', 'in', (from) =>
      from
        .selectFrom('folders')
        .select('id')
        .where('parent_id', 'in', folderIds)
        .where('deleted_at', 'is', null)
        .limit(ROWS_AT_ONCE),
    )
    .returningAll()
    .execute();
  const folders = rows.map(({ deleted_at, ...folder }) => ({ ...folder, tree_id: treeId, is_open: 1 }));
  if (folders.length > 0) await trx.insertInto('trash_folders').values(folders).execute();
  return folders.length;
}
