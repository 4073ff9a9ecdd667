import { sql } from 'kysely';
import type { Clock } from '../../../kernel/clock.ts';
import type { Database, Transaction } from '../../../kernel/database/database.ts';
import { notFound } from '../../../kernel/problem.ts';
import { nameKey } from '../../../text/name-key.ts';
import { foldersAbove } from '../folders/above.ts';
import { depthOf, requireCountable, requireDepth, requireVacancy } from '../folders/bounds.ts';
import type { Folder } from '../folders/folder.ts';
import { requireSettled } from '../folders/moves.ts';
import { requireEmpty, resolveFolderName } from '../folders/rules.ts';
import { lockWorkspace } from '../lock.ts';
import { movingProblem } from '../moving.ts';
import type { Quota } from '../quota.ts';
import type { TrashMoveDeps } from './moves.ts';
import { moveRows } from './moves.ts';
import { findOrCreatePlace, placeIn, readPlace } from './places.ts';
import type { TrashTree } from './tree.ts';

export interface TrashDeps extends TrashMoveDeps {
  clock: Clock;
  quota: Quota;
}

/** Handling of a taken name: both files keep it, the restored one gets a number, or the restore fails. */
export const ON_RESTORE_CONFLICT = ['keep', 'rename', 'fail'] as const;
export type OnRestoreConflict = (typeof ON_RESTORE_CONFLICT)[number];

interface Removal {
  isRecursive: boolean;
  /** The account; null = unknown. */
  deletedBy: string | null;
  /** Ms since the epoch; default: now. */
  deletedAt?: number;
}

/** Begins to move a folder with everything in it to the trash. It is hidden from now on. @throws Problem 404, 409 */
export async function removeTree(
  trx: Transaction,
  deps: TrashDeps,
  { id, parentId, workspaceId, name }: Folder,
  { isRecursive, deletedBy, deletedAt }: Removal,
): Promise<void> {
  await lockWorkspace(deps.database, trx, workspaceId);
  if (isRecursive) await requireSettled(trx, workspaceId);
  else await requireEmpty(trx, id);
  const place = parentId === null ? [] : await placeIn(trx, parentId);
  const { deleted_at, ...folder } = await trx
    .deleteFrom('folders')
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow(notFound);
  await trx
    .insertInto('trash_trees')
    .values({
      id,
      workspace_id: workspaceId,
      name,
      place: JSON.stringify(place),
      size_bytes: 0,
      file_count: 0,
      deleted_at: deletedAt ?? (await deps.trashSpace.deletionTime(trx, workspaceId)),
      deleted_by: deletedBy,
      state: 'removing',
    })
    .execute();
  await trx
    .insertInto('trash_folders')
    .values({ ...folder, tree_id: id, is_open: 1 })
    .execute();
  await beginMove(trx, deps, workspaceId, id);
}

/**
 * Begins to move a tree back to its place.
 * @throws Problem 404, 409 `name_taken`, `folder_too_deep`, `folder_full`, 507, 503 while its place is being moved to
 *   another workspace
 */
export async function restoreTree(
  trx: Transaction,
  deps: TrashDeps,
  found: TrashTree,
  onConflict: OnRestoreConflict,
): Promise<{ name: string; parentId: string }> {
  const { id, workspace_id: workspaceId } = found;
  const tree = await takeTree(trx, deps, found, 'restoring');
  await deps.trashSpace.takeBack(trx, workspaceId, tree.size_bytes);
  await deps.quota.charge(trx, workspaceId, tree.size_bytes, null);
  const { tree_id, is_open, ...folder } = await trx
    .deleteFrom('trash_folders')
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow(notFound);
  const place = readPlace(tree.place);
  const parentId = await findOrCreatePlace(trx, deps.clock, workspaceId, place);
  await requireStaying(trx, parentId, workspaceId);
  // Content of earlier versions, which may be too deep, can return to its former depth, but not deeper.
  const depth = (await depthOf(trx, parentId)) + 1;
  if (depth > place.length + 1) requireDepth(depth + (await levelsBelow(trx, deps.database, id)));
  await requireVacancy(trx, parentId);
  const name = await resolveFolderName(trx, {
    parentId,
    name: folder.name,
    onConflict: onConflict === 'fail' ? 'fail' : 'rename',
  });
  await trx
    .insertInto('folders')
    .values({ ...folder, parent_id: parentId, name, name_key: nameKey(name) })
    .execute();
  await beginMove(trx, deps, workspaceId, id);
  return { name, parentId };
}

/**
 * Checks that a folder is not being moved to another workspace with a folder above it: the content of a tree that is
 * restored into it would stay behind in its former workspace. @throws Problem 503
 */
async function requireStaying(trx: Transaction, folderId: string, workspaceId: string): Promise<void> {
  const above = await foldersAbove(trx, [folderId]);
  if ([...above.values()].some((folder) => folder.workspace_id !== workspaceId)) throw movingProblem();
}

/** Folders of a tree that one query reads. */
const FOLDERS_AT_ONCE = 2_000;

/**
 * Returns the number of levels of folders below the root of a tree, whose own row is deleted already.
 * @throws Problem 409 `folder_too_deep` for a tree of too many folders
 */
async function levelsBelow(trx: Transaction, { kind }: Database, treeId: string): Promise<number> {
  // In memory, since no index finds the subfolders of a folder in the trash.
  const rows: { id: string; parent_id: string | null }[] = [];
  for (let at = 0; at === rows.length; at += FOLDERS_AT_ONCE) {
    const page = await trx
      .selectFrom('trash_folders')
      .select(['id', 'parent_id'])
      .where('tree_id', '=', treeId)
      // The order of the index of trees; PostgreSQL, whose queries do not block this process, sorts.
      .orderBy(kind === 'sqlite' ? sql`rowid` : 'id')
      .offset(at)
      .limit(FOLDERS_AT_ONCE)
      .execute();
    rows.push(...page);
    requireCountable(rows.length);
    await Bun.sleep(0);
  }
  const children = Map.groupBy(rows, ({ parent_id }) => parent_id);
  let levels = 0;
  for (let level = children.get(treeId) ?? []; level.length > 0; levels++)
    level = level.flatMap(({ id }) => children.get(id) ?? []);
  return levels;
}

/** Erases a tree; the collector deletes its rows and bytes. @throws Problem 404 */
export async function eraseTree(trx: Transaction, deps: TrashDeps, found: TrashTree): Promise<void> {
  const tree = await takeTree(trx, deps, found, 'erasing');
  await deps.trashSpace.countErased(trx, tree.workspace_id, tree.size_bytes);
}

/** Takes a tree out of the entries of the trash. @throws Problem 404 when it is not there or erased */
async function takeTree(
  trx: Transaction,
  { database, trashSpace }: TrashDeps,
  { id, workspace_id }: TrashTree,
  state: 'restoring' | 'erasing',
): Promise<TrashTree> {
  await lockWorkspace(database, trx, workspace_id);
  return await trx
    .updateTable('trash_trees')
    .set({ state })
    .where('id', '=', id)
    .where('workspace_id', '=', workspace_id)
    .where('state', '=', 'kept')
    .where('deleted_at', '>=', await trashSpace.keptSince(trx, workspace_id))
    .returningAll()
    .executeTakeFirstOrThrow(notFound);
}

/** @throws Problem 503 when another tree of the workspace moves */
async function beginMove(
  trx: Transaction,
  deps: TrashDeps,
  workspaceId: string,
  treeId: string,
): Promise<void> {
  await trx
    .updateTable('workspaces')
    .set({ moving_tree_id: treeId })
    .where('id', '=', workspaceId)
    .where('moving_tree_id', 'is', null)
    .returning('id')
    .executeTakeFirstOrThrow(movingProblem);
  await moveRows(trx, deps, workspaceId);
}
