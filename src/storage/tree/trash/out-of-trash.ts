import type { Transaction } from '../../../kernel/database/database.ts';
import { nameKey } from '../../../text/name-key.ts';
import { numberedFolderName } from '../numbered-names.ts';
import { addBytes } from '../sums.ts';
import type { TrashTree } from './tree.ts';

/** Maximum number of rows that one transaction changes, so that it does not delay others. */
const ROWS_AT_ONCE = 500;

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
  // The beginning of the restore counted bytes as used that were no longer in the tree, since older programs restore
  // its files one by one.
  const missing = tree.size_bytes - bytes;
  if (missing !== 0) await addBytes(trx, tree.workspace_id, { used_bytes: -missing, trash_bytes: missing });
  return false;
}

/** Returns the number of folders that were moved. One whose name was taken meanwhile gets a number. */
async function putFoldersBack(trx: Transaction, treeId: string): Promise<number> {
  const batch = await trx
    .selectFrom('trash_folders')
    .select('id')
    .where('tree_id', '=', treeId)
    .limit(ROWS_AT_ONCE)
    .execute();
  if (batch.length === 0) return 0;
  const ids = batch.map(({ id }) => id);
  const taken = await idsOfTaken(trx, ids);
  const rows = await trx.deleteFrom('trash_folders').where('id', 'in', ids).returningAll().execute();
  const folders = rows.map(({ tree_id, is_open, ...folder }) => folder);
  const free = folders.filter(({ id }) => !taken.has(id));
  if (free.length > 0) await trx.insertInto('folders').values(free).execute();
  for (const folder of folders.filter(({ id }) => taken.has(id))) {
    const name = await numberedFolderName(trx, folder.parent_id ?? '', folder.name);
    await trx
      .insertInto('folders')
      .values({ ...folder, name, name_key: nameKey(name) })
      .execute();
  }
  return rows.length;
}

/** Returns those of the folders of a tree whose names others have now. */
async function idsOfTaken(trx: Transaction, ids: readonly string[]): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('trash_folders')
    .innerJoin('folders', (join) =>
      join
        .onRef('folders.parent_id', '=', 'trash_folders.parent_id')
        .onRef('folders.name_key', '=', 'trash_folders.name_key')
        .on('folders.deleted_at', 'is', null),
    )
    .select('trash_folders.id')
    .where('trash_folders.id', 'in', ids)
    .execute();
  return new Set(rows.map(({ id }) => id));
}
