import { DAY } from '../../../kernel/clock.ts';
import { inBatches } from '../../../kernel/database/batches.ts';
import type { Database, Transaction } from '../../../kernel/database/database.ts';
import { readNow } from '../../../kernel/database/now.ts';
import { newId } from '../../../kernel/ids.ts';
import { nameKey } from '../../../text/name-key.ts';
import type { Changed } from '../changes.ts';
import { lockWorkspaces } from '../lock.ts';
import { isMoving, movingProblem } from '../moving.ts';
import type { Quota } from '../quota.ts';
import type { Rows } from '../rows.ts';
import type { TrashSpace } from '../trash/space.ts';
import { depthOf, requireMovable } from './bounds.ts';
import type { Folder } from './folder.ts';
import { moveFiles, moveLinks, moveSubfolders, ROWS_AT_ONCE } from './moved-rows.ts';
import { type OnFolderConflict, requireNotRoot, resolveFolderName } from './rules.ts';

const FOLDERS_AT_ONCE = 50;
/** Rows that take as long as the queries of one pass: a line of folders takes as many passes as it has levels. */
const ROWS_OF_A_PASS = 50;

export interface MoveDeps {
  database: Database;
  quota: Quota;
  trashSpace: TrashSpace;
  rows: Rows;
  changed: Changed;
}

interface FolderMove {
  parent: Folder;
  name: string;
  onConflict: OnFolderConflict;
  /** Sum of the sizes of the files in the folder. */
  bytes: number;
  /** Id of the member. */
  by: string;
}

/**
 * Moves a folder to another workspace, in one or more batches: the folder itself immediately, then its files and
 * subfolders. The mark `move_id` passes down with the folders, so that each batch continues where the one before
 * ended, whichever process ran it. The space of all files is reserved first, under the id of the move.
 * @returns the name of the folder, and whether more is left for `completeMovesInto`
 * @throws Problem 404; 403; 409 `root_folder`, `folder_cycle`, `name_taken`, `folder_too_deep`, `folder_full`; 507; 503
 * while a move into one of the workspaces is incomplete
 */
export async function beginMove(
  trx: Transaction,
  deps: MoveDeps,
  folder: Folder,
  { parent, name: wanted, onConflict, bytes, by }: FolderMove,
): Promise<{ name: string; isPartial: boolean }> {
  const { database, quota, rows } = deps;
  requireNotRoot(folder);
  await lockWorkspaces(database, trx, [folder.workspaceId, parent.workspaceId]);
  await rows.requireFolder(trx, folder, by);
  await rows.requireFolder(trx, parent, by);
  const name = await resolveFolderName(trx, { parentId: parent.id, name: wanted, onConflict });
  await requireSettled(trx, folder.workspaceId);
  await requireSettled(trx, parent.workspaceId);
  await requireMovable(trx, folder, parent.id, await depthOf(trx, folder.id));
  const moveId = newId();
  const until = (await readNow(database, trx)) + DAY;
  await quota.hold(trx, { id: moveId, workspaceId: parent.workspaceId, bytes, until });
  await trx
    .updateTable('folders')
    .set({
      name,
      name_key: nameKey(name),
      parent_id: parent.id,
      workspace_id: parent.workspaceId,
      move_id: moveId,
    })
    .where('id', '=', folder.id)
    .execute();
  const isPartial = await moveMarked(trx, deps, parent.workspaceId);
  // Files may have been added to the folder since its size was read.
  if (!isPartial) await quota.requireWithin(trx, parent.workspaceId);
  return { name, isPartial };
}

/** Completes the moves into a workspace, with pauses. */
export async function completeMovesInto(deps: MoveDeps, workspaceId: string): Promise<void> {
  await inBatches(deps.database, (trx) => moveMarked(trx, deps, workspaceId));
}

export async function workspacesWithMoves({ read }: Database): Promise<string[]> {
  const rows = await read
    .selectFrom('folders')
    .select('workspace_id')
    .distinct()
    .where('move_id', 'is not', null)
    .execute();
  return rows.map(({ workspace_id }) => workspace_id);
}

/**
 * Checks that everything in the folders of a workspace belongs to it, before a folder is moved or deleted as a tree.
 * @throws Problem 503 `unavailable` while a move into it, to its trash or back is incomplete
 */
export async function requireSettled(trx: Transaction, workspaceId: string): Promise<void> {
  if (!(await isMoving(trx, workspaceId)) && (await markedFolders(trx, workspaceId)).length === 0) return;
  throw movingProblem();
}

/** Moves a batch of the content of marked folders; returns false when nothing is left. */
async function moveMarked(
  trx: Transaction,
  { database, quota, trashSpace, changed }: MoveDeps,
  workspaceId: string,
): Promise<boolean> {
  const first = await nextMarked(trx, workspaceId);
  const sources = first ? await sourcesOf(trx, first.ids, workspaceId) : [];
  await lockWorkspaces(database, trx, [workspaceId, ...sources]);
  const from = { workspaceId, sources };
  for (let rows = 0; rows < ROWS_AT_ONCE; rows += ROWS_OF_A_PASS) {
    const marked = await nextMarked(trx, workspaceId);
    if (!marked) return false;
    const { moveId, ids } = marked;
    const files = await moveFiles(trx, ids, { ...from, most: ROWS_AT_ONCE - rows });
    if (files.ids.length > 0) await trashSpace.moveVersions(trx, files.ids, workspaceId);
    for (const [source, sizes] of files.bySource) {
      await quota.transfer(trx, { from: source, to: workspaceId, bytes: sizes, reservationId: moveId });
      changed(trx, source, null);
    }
    rows += files.rows;
    if (files.isPartial) continue;
    const subfolders = await moveSubfolders(trx, ids, { ...from, moveId });
    rows += subfolders;
    if (subfolders === ROWS_AT_ONCE) continue;
    // Content of another workspace is moved by the next transaction, which locks it.
    if ((await sourcesOf(trx, ids, workspaceId)).length > 0) return true;
    const links = await moveLinks(trx, ids, workspaceId);
    rows += links;
    if (links === ROWS_AT_ONCE) continue;
    await trx.updateTable('folders').set({ move_id: null }).where('id', 'in', ids).execute();
    for (const id of ids) changed(trx, workspaceId, id);
    await endMove(trx, moveId);
  }
  return true;
}

/** Returns some marked folders of one move; null = there are none. */
async function nextMarked(
  trx: Transaction,
  workspaceId: string,
): Promise<{ moveId: string; ids: string[] } | null> {
  const marked = await markedFolders(trx, workspaceId);
  const moveId = marked[0]?.move_id ?? null;
  if (moveId === null) return null;
  return { moveId, ids: marked.filter((folder) => folder.move_id === moveId).map(({ id }) => id) };
}

/** Returns workspaces from which content of folders must still be moved: one at least, if there is any. */
async function sourcesOf(
  trx: Transaction,
  folderIds: readonly string[],
  workspaceId: string,
): Promise<string[]> {
  const file = await trx
    .selectFrom('files')
    .select('workspace_id')
    .where('folder_id', 'in', folderIds)
    .where('workspace_id', '!=', workspaceId)
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  const folder = await trx
    .selectFrom('folders')
    .select('workspace_id')
    .where('parent_id', 'in', folderIds)
    .where('workspace_id', '!=', workspaceId)
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return [file, folder].flatMap((row) => row?.workspace_id ?? []);
}

async function markedFolders(trx: Transaction, workspaceId: string) {
  return await trx
    .selectFrom('folders')
    .select(['id', 'move_id'])
    .where('workspace_id', '=', workspaceId)
    .where('move_id', 'is not', null)
    .limit(FOLDERS_AT_ONCE)
    .execute();
}

/** Deletes the reservation of a move when no marked folder is left. */
async function endMove(trx: Transaction, moveId: string): Promise<void> {
  await trx
    .deleteFrom('reservations')
    .where('id', '=', moveId)
    .where((where) =>
      where.not(where.exists(where.selectFrom('folders').select('folders.id').where('move_id', '=', moveId))),
    )
    .execute();
}
