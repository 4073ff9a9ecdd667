import type { Database } from '../../../kernel/database/database.ts';
import { FOLDER_COLUMNS, type Folder, folderFromRow } from '../folders/folder.ts';
import { abandonedCopies } from '../folders/incomplete-copies.ts';
import { completeMove, type WhileSettled } from './moves.ts';
import { removeTree, type TrashDeps } from './trees.ts';

const MARKED_AT_ONCE = 100;

/** Completes what killed processes and older programs left; see `completeLeftovers` of `Trash`. */
export async function completeLeftovers(deps: TrashDeps, whileSettled: WhileSettled): Promise<void> {
  const { database } = deps;
  for (const id of await workspacesWithTrashMoves(database)) await completeMove(deps, id);
  for (const copy of await abandonedCopies(database.read, deps))
    await removeAbandoned(deps, whileSettled, copy);
  for (const folder of await foldersMarked(database))
    await whileSettled(folder.workspaceId, (trx) =>
      removeTree(trx, deps, folder, { isRecursive: true, deletedBy: null }),
    );
}

/** Moves a copy that a killed process left incomplete to the trash, if it is still there. */
async function removeAbandoned(
  deps: TrashDeps,
  whileSettled: WhileSettled,
  { id, workspaceId }: Folder,
): Promise<void> {
  await whileSettled(workspaceId, async (trx) => {
    const found = (await abandonedCopies(trx, deps)).find((copy) => copy.id === id);
    if (found?.workspaceId !== workspaceId) return;
    // Incomplete content must not cause the erasure of entries that a person deleted.
    const deletedAt = await deps.trashSpace.leftoverTime(trx, workspaceId);
    await removeTree(trx, deps, found, { isRecursive: true, deletedBy: null, deletedAt });
    deps.changed(trx, workspaceId, found.parentId);
  });
}

async function workspacesWithTrashMoves({ read }: Database): Promise<string[]> {
  const rows = await read
    .selectFrom('workspaces')
    .select('id')
    .where('moving_tree_id', 'is not', null)
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns folders that an older program, without trees, has marked as deleted but not removed. */
async function foldersMarked({ read }: Database): Promise<Folder[]> {
  const rows = await read
    .selectFrom('folders')
    .select(FOLDER_COLUMNS)
    .where('deleted_at', 'is not', null)
    .limit(MARKED_AT_ONCE)
    .execute();
  return rows.map(folderFromRow);
}
