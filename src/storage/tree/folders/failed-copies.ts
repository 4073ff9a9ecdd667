import { batchesOf } from '../../../kernel/batches-of.ts';
import type { Transaction } from '../../../kernel/database/database.ts';
import { lockWorkspace } from '../lock.ts';
import { type Above, foldersAbove, lineIn } from './above.ts';
import type { FolderDeps } from './changes.ts';
import type { Folder } from './folder.ts';
import { endCopy } from './incomplete-copies.ts';

/** Rows of one transaction. */
const ROWS_AT_ONCE = 200;

/** The folders and files that a copy creates. */
export interface CreatedTree extends FolderDeps {
  copy: Folder;
  /** The copies of the folders below, by id, each after its parent. The last ones may not be stored yet. */
  below: ReadonlyMap<string, Folder & { parentId: string }>;
  /** Ids of the folders of the copies of files, by the ids of these. */
  folderOf: Map<string, string>;
}

/**
 * Deletes the files and folders of a failed copy, which may have another name or place by now. What others have
 * changed, moved or shared by a link stays, as what they have added, with the folders above it.
 */
export async function removeCopy(tree: CreatedTree): Promise<void> {
  const { database, copy, below, folderOf } = tree;
  for (const batch of batchesOf([...folderOf.keys()], ROWS_AT_ONCE))
    await database.transaction((trx) => removeFiles(trx, tree, batch));
  // From the leaves to the root, so that folders that stay keep those above them.
  for (const batch of [...batchesOf([copy.id, ...below.keys()], ROWS_AT_ONCE)].reverse())
    await database.transaction((trx) => removeFolders(trx, tree, batch));
}

async function removeFiles(trx: Transaction, tree: CreatedTree, batch: readonly string[]): Promise<void> {
  const { database, quota, copy, folderOf, changed } = tree;
  await lockWorkspace(database, trx, copy.workspaceId);
  const query = trx
    .selectFrom('files')
    .select(['id', 'folder_id'])
    .where('id', 'in', batch)
    .where('workspace_id', '=', copy.workspaceId)
    .where('deleted_at', 'is', null)
    .where('modified_by', 'is', null);
  // Servers of earlier versions do not lock the workspace for changes of files and links to them.
  const found = await (database.kind === 'postgres' ? query.forUpdate() : query).execute();
  const placed = found.filter(({ id, folder_id }) => folderOf.get(id) === folder_id);
  const linked = await linkedFiles(trx, placed);
  const { isUnchanged } = await readLines(trx, tree, [...new Set(placed.map(({ folder_id }) => folder_id))]);
  const left = placed.filter(({ id, folder_id }) => !linked.has(id) && isUnchanged(folder_id));
  if (left.length === 0) return;
  const ids = left.map(({ id }) => id);
  const rows = await trx.deleteFrom('files').where('id', 'in', ids).returning('size_bytes').execute();
  const bytes = rows.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
  await quota.refund(trx, copy.workspaceId, bytes);
  for (const id of new Set(left.map(({ folder_id }) => folder_id))) changed(trx, copy.workspaceId, id);
}

async function linkedFiles(trx: Transaction, files: readonly { id: string }[]): Promise<Set<string>> {
  if (files.length === 0) return new Set();
  const ids = files.map(({ id }) => id);
  const rows = await trx.selectFrom('link_files').select('file_id').where('file_id', 'in', ids).execute();
  return new Set(rows.map(({ file_id }) => file_id));
}

async function removeFolders(trx: Transaction, tree: CreatedTree, batch: readonly string[]): Promise<void> {
  const { database, copy, below, changed } = tree;
  await lockWorkspace(database, trx, copy.workspaceId);
  const { above, isUnchanged } = await readLines(trx, tree, batch);
  const used = await usedFolders(trx, batch);
  const kept = new Set<string>();
  for (const id of batch)
    if (used.has(id) || !isUnchanged(id)) for (const folder of lineIn(above, id)) kept.add(folder.id);
  const ids = batch.filter((id) => !kept.has(id));
  if (ids.length > 0) await trx.deleteFrom('folders').where('id', 'in', ids).execute();
  const parents = ids.map((id) => below.get(id)?.parentId ?? above.get(copy.id)?.parent_id ?? copy.parentId);
  for (const id of new Set(parents)) changed(trx, copy.workspaceId, id);
  if (kept.has(copy.id)) await endCopy(trx, copy.id);
}

interface Lines {
  above: Above;
  /** Reports whether a folder is where the copy has created it, with the same folders above it, and without links. */
  isUnchanged(folderId: string): boolean;
}

async function readLines(
  trx: Transaction,
  { copy, below }: CreatedTree,
  folderIds: readonly string[],
): Promise<Lines> {
  const above = folderIds.length === 0 ? new Map() : await foldersAbove(trx, folderIds, { until: copy.id });
  const linked = await linkedFolders(trx, [...above.keys()]);
  return {
    above,
    isUnchanged(folderId) {
      for (const { id, workspace_id, parent_id, name } of lineIn(above, folderId)) {
        if (workspace_id !== copy.workspaceId || linked.has(id)) return false;
        if (id === copy.id) return true;
        const created = below.get(id);
        if (created?.parentId !== parent_id || created.name !== name) return false;
      }
      return false;
    },
  };
}

async function linkedFolders(trx: Transaction, ids: readonly string[]): Promise<Set<string | null>> {
  if (ids.length === 0) return new Set();
  const rows = await trx.selectFrom('links').select('folder_id').where('folder_id', 'in', ids).execute();
  return new Set(rows.map(({ folder_id }) => folder_id));
}

/** Returns those of the folders that contain a file, or a folder that is not among them. */
async function usedFolders(trx: Transaction, ids: readonly string[]): Promise<Set<string | null>> {
  const files = await trx
    .selectFrom('files')
    .select('folder_id')
    .distinct()
    .where('folder_id', 'in', ids)
    .where('deleted_at', 'is', null)
    .execute();
  const folders = await trx
    .selectFrom('folders')
    .select('parent_id')
    .distinct()
    .where('parent_id', 'in', ids)
    .where('id', 'not in', ids)
    .where('deleted_at', 'is', null)
    .execute();
  return new Set([...files.map(({ folder_id }) => folder_id), ...folders.map(({ parent_id }) => parent_id)]);
}
