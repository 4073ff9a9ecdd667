import type { Database, Transaction } from '../../kernel/database/database.ts';
import { lockWorkspace } from './lock.ts';
import type { TrashSpace } from './trash-space.ts';

/** Rows that one transaction changes at most, so that it does not delay others. */
const ROWS_AT_ONCE = 1000;
const FOLDERS_AT_ONCE = 50;
/** Time for other transactions between two batches. */
const PAUSE_MS = 5;

interface RemovalDeps {
  database: Database;
  trashSpace: TrashSpace;
}

/**
 * Moves the content of removed folders to the trash, and deletes their rows, in one or more batches. A removed folder
 * is gone for everyone at once; from there the mark passes down to its subfolders, so that each batch continues where
 * the one before ended, whichever process ran it. All files of one removal get the same time of deletion.
 * @returns whether more is left
 */
export async function removeMarked(
  trx: Transaction,
  { database, trashSpace }: RemovalDeps,
  workspaceId: string,
): Promise<boolean> {
  await lockWorkspace(database, trx, workspaceId);
  for (let rows = 0; rows < ROWS_AT_ONCE; ) {
    const marked = await markedFolders(trx, workspaceId);
    const deletedAt = marked[0]?.deleted_at ?? null;
    if (deletedAt === null) return false;
    const ids = marked.filter(({ deleted_at }) => deleted_at === deletedAt).map(({ id }) => id);
    const sizes = await removeFiles(trx, ids, deletedAt);
    if (sizes.length > 0) {
      const bytes = sizes.reduce((sum, size) => sum + size, 0);
      await trashSpace.keep(trx, workspaceId, bytes, deletedAt);
    }
    rows += sizes.length;
    if (sizes.length === ROWS_AT_ONCE) continue;
    const subfolders = await markSubfolders(trx, ids, deletedAt);
    rows += subfolders + ids.length;
    if (subfolders === ROWS_AT_ONCE) continue;
    await trx.deleteFrom('folders').where('id', 'in', ids).execute();
  }
  return true;
}

/** Completes the removals of a workspace, with pauses. */
export async function completeRemovals(deps: RemovalDeps, workspaceId: string): Promise<void> {
  while (await deps.database.transaction((trx) => removeMarked(trx, deps, workspaceId)))
    await Bun.sleep(PAUSE_MS);
}

/** Returns the workspaces with removals that are not complete, since their process ended. */
export async function workspacesWithRemovals({ read }: Database): Promise<string[]> {
  const rows = await read
    .selectFrom('folders')
    .select('workspace_id')
    .distinct()
    .where('deleted_at', 'is not', null)
    .execute();
  return rows.map(({ workspace_id }) => workspace_id);
}

async function markedFolders(trx: Transaction, workspaceId: string) {
  return await trx
    .selectFrom('folders')
    .select(['id', 'deleted_at'])
    .where('workspace_id', '=', workspaceId)
    .where('deleted_at', 'is not', null)
    .orderBy('deleted_at')
    .limit(FOLDERS_AT_ONCE)
    .execute();
}

/** Returns the sizes of the files that were removed. */
async function removeFiles(trx: Transaction, folderIds: readonly string[], at: number): Promise<number[]> {
  const rows = await trx
    .updateTable('files')
    .set({ deleted_at: at })
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

/** Returns the number of subfolders that were marked. */
async function markSubfolders(trx: Transaction, folderIds: readonly string[], at: number): Promise<number> {
  const rows = await trx
    .updateTable('folders')
    .set({ deleted_at: at })
    .where('id', 'in', (from) =>
      from
        .selectFrom('folders')
        .select('id')
        .where('parent_id', 'in', folderIds)
        .where('deleted_at', 'is', null)
        .limit(ROWS_AT_ONCE),
    )
    .returning('id')
    .execute();
  return rows.length;
}
