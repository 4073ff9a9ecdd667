import type { Transaction } from '../../../kernel/database/database.ts';
import { nameKey } from '../names.ts';
import { numberedFolderName } from '../numbered-names.ts';
import type { TrashTree } from './tree.ts';

/** Maximum number of rows that one transaction changes, so that it does not delay others. */
const ROWS_AT_ONCE = 1000;

/**
 * Moves a batch of the content of a restored folder back; reports whether more is left. The folders are moved first,
 * then the files.
 */
export async function moveOutOfTrash(trx: Transaction, tree: TrashTree): Promise<boolean> {
  if ((await putFoldersBack(trx, tree.id)) === ROWS_AT_ONCE) return true;
  const files = await trx
    .selectFrom('files')
    .select(['id', 'size_bytes', 'deleted_at'])
    .where('trash_id', '=', tree.id)
    .limit(ROWS_AT_ONCE)
    .execute();
  if (files.length > 0)
    await trx
      .updateTable('files')
      .set({ deleted_at: null, trash_id: null })
      .where(
        'id',
        'in',
        files.map(({ id }) => id),
      )
      .execute();
  const bytes = files.reduce((sum, file) => sum + (file.deleted_at === null ? 0 : file.size_bytes), 0);
  if (files.length === ROWS_AT_ONCE) {
    await trx
      .updateTable('trash_trees')
      .set((set) => ({ size_bytes: set('size_bytes', '-', bytes) }))
      .where('id', '=', tree.id)
      .execute();
    return true;
  }
  await trx.deleteFrom('trash_trees').where('id', '=', tree.id).execute();
  await settle(trx, tree.workspace_id, tree.size_bytes - bytes);
  return false;
}

/**
 * Corrects the sums of a workspace: the beginning of a restore counted `bytes` as used that were no longer in the tree,
 * since older programs restore its files one by one.
 */
async function settle(trx: Transaction, workspaceId: string, bytes: number): Promise<void> {
  if (bytes === 0) return;
  await trx
    .updateTable('workspaces')
    .set((set) => ({
      used_bytes: set('used_bytes', '-', bytes),
      trash_bytes: set('trash_bytes', '+', bytes),
    }))
    .where('id', '=', workspaceId)
    .execute();
}

/** Returns the number of folders that were moved. One whose name was taken meanwhile gets a number. */
async function putFoldersBack(trx: Transaction, treeId: string): Promise<number> {
  const rows = await trx
    .deleteFrom('trash_folders')
    .where('id', 'in', (from) =>
      from.selectFrom('trash_folders').select('id').where('tree_id', '=', treeId).limit(ROWS_AT_ONCE),
    )
    .returningAll()
    .execute();
  if (rows.length === 0) return 0;
  const taken = await trx
    .selectFrom('folders')
    .select(['parent_id', 'name_key'])
    .where('deleted_at', 'is', null)
    .where(
      'parent_id',
      'in',
      rows.map(({ parent_id }) => parent_id ?? ''),
    )
    .execute();
  const keys = new Set(taken.map(({ parent_id, name_key }) => `${parent_id} ${name_key}`));
  const folders = rows.map(({ tree_id, is_open, ...folder }) => folder);
  const isTaken = (folder: (typeof folders)[number]) => keys.has(`${folder.parent_id} ${folder.name_key}`);
  const free = folders.filter((folder) => !isTaken(folder));
  if (free.length > 0) await trx.insertInto('folders').values(free).execute();
  for (const folder of folders.filter(isTaken)) {
    const name = await numberedFolderName(trx, folder.parent_id ?? '', folder.name);
    await trx
      .insertInto('folders')
      .values({ ...folder, name, name_key: nameKey(name) })
      .execute();
  }
  return rows.length;
}
