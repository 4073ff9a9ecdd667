import type { Reader, Transaction } from '../../../kernel/database/database.ts';
import { notFound, Problem } from '../../../kernel/problem.ts';
import type { FoundRow } from '../found-row.ts';
import { movingProblem } from '../moving.ts';
import { foldersAbove, lineIn } from './above.ts';
import { pagesOfChildren } from './subtree.ts';

/** Maximum number of levels of folders below the root of a workspace. Folders of earlier versions may be deeper. */
export const MAX_DEPTH = 300;

/**
 * Maximum number of folders below one that moves to a lower level: counting their levels in the transaction delays all
 * others, by 200 ms on a slow machine.
 */
export const MAX_COUNTED = 20_000;

/** Maximum number of subfolders of a folder, which are returned at once. Folders of earlier versions may have more. */
export const MAX_SUBFOLDERS = 10_000;

/** Checks, with the workspace locked, that a folder can have another subfolder. @throws Problem 409 `folder_full` */
export async function requireVacancy(trx: Transaction, folderId: string): Promise<void> {
  const row = await trx
    .selectFrom('folders')
    .select('id')
    .where('parent_id', '=', folderId)
    .where('deleted_at', 'is', null)
    .offset(MAX_SUBFOLDERS - 1)
    .limit(1)
    .executeTakeFirst();
  requireSubfolders(row ? MAX_SUBFOLDERS + 1 : 1);
}

/** @throws Problem 409 `folder_full` */
export function requireSubfolders(count: number): void {
  if (count > MAX_SUBFOLDERS)
    throw new Problem('folder_full', `A folder can have at most ${MAX_SUBFOLDERS} subfolders.`);
}

/**
 * Returns a folder and those above it, the folder itself first. Returns at most the nearest `MAX_DEPTH + 2`, which
 * suffice to detect that the folder is too deep.
 * @throws Problem 404 when it is below a folder that is being moved to the trash: its depth is not known
 */
export async function lineAbove(
  reader: Reader,
  folderId: string,
): Promise<{ id: string; parent_id: string | null }[]> {
  const above = await foldersAbove(reader, [folderId]);
  const line = [...lineIn(above, folderId).take(MAX_DEPTH + 2)];
  if (line.length < MAX_DEPTH + 2 && line.at(-1)?.parent_id !== null) throw notFound();
  return line;
}

/** Returns how many levels below the root a folder lies; of a deeper one, `MAX_DEPTH + 1`. @throws Problem 404 */
export async function depthOf(reader: Reader, folderId: string): Promise<number> {
  return (await lineAbove(reader, folderId)).length - 1;
}

/** @param limit greater than `MAX_DEPTH` for a folder that was deeper before @throws Problem 409 `folder_too_deep` */
export function requireDepth(depth: number, limit = MAX_DEPTH): void {
  if (depth > limit)
    throw new Problem(
      'folder_too_deep',
      `A folder can be at most ${MAX_DEPTH} levels below the root folder.`,
    );
}

/**
 * Checks, with the workspace locked, the depth of folders to be inserted, each after its parent.
 * @throws Problem 404, 409
 */
export async function requireDepths(
  trx: Transaction,
  folders: readonly { id: string; parentId: string | null }[],
): Promise<void> {
  const inserted = new Set(folders.map(({ id }) => id));
  const parents = new Set(folders.flatMap(({ parentId }) => parentId ?? []));
  const above = await foldersAbove(trx, [...parents.difference(inserted)]);
  const parentOf = new Map<string, string | null>(folders.map(({ id, parentId }) => [id, parentId]));
  for (const { id, parent_id } of above.values()) parentOf.set(id, parent_id);
  const depths = new Map<string, number>();
  const depthIn = (id: string): number => {
    const parentId = parentOf.get(id);
    if (parentId === undefined) throw notFound();
    const depth = depths.get(id) ?? (parentId === null ? 0 : depthIn(parentId) + 1);
    depths.set(id, depth);
    return depth;
  };
  for (const { id } of folders) requireDepth(depthIn(id));
}

/**
 * Checks, with the workspace locked, that a folder can move into another, with everything in it.
 * @param from depth of the folder before
 * @throws Problem 404; 409 `folder_cycle`, `folder_full`, `folder_too_deep`, the last also when there are more than
 * `MAX_COUNTED` folders below it; 503 `unavailable` while a restore in the workspace is incomplete
 */
export async function requireMovable(
  trx: Transaction,
  folder: FoundRow,
  parentId: string,
  from: number,
): Promise<void> {
  const above = await lineAbove(trx, parentId);
  if (above.some(({ id }) => id === folder.id))
    throw new Problem('folder_cycle', 'A folder cannot be moved into itself or into a folder inside it.');
  await requireDescent(trx, folder, from, above.length);
  await requireVacancy(trx, parentId);
}

/** Checks the depth of a folder and of all below it. A move that does not increase it is allowed at any depth. */
async function requireDescent(
  trx: Transaction,
  { id, workspaceId }: FoundRow,
  from: number,
  to: number,
): Promise<void> {
  requireDepth(to);
  if (to <= from) return;
  await requireNoRestore(trx, workspaceId);
  if (await isHigherThan(trx, id, MAX_DEPTH - to)) requireDepth(MAX_DEPTH + 1);
}

/** @throws Problem 409 `folder_too_deep` when there are too many folders below one to count their levels */
export function requireCountable(folders: number): void {
  if (folders > MAX_COUNTED)
    throw new Problem(
      'folder_too_deep',
      `A folder with more than ${MAX_COUNTED} folders in it cannot be moved to a lower level.`,
    );
}

/**
 * Reports whether there are folders more than a number of levels below a folder.
 * @throws Problem 409 `folder_too_deep`
 */
async function isHigherThan(trx: Transaction, folderId: string, levels: number): Promise<boolean> {
  let count = 0;
  let level = [folderId];
  for (let height = 0; level.length > 0; height++) {
    if (height > levels) return true;
    const next: string[] = [];
    for await (const page of pagesOfChildren(trx, level)) {
      for (const { id } of page) next.push(id);
      count += page.length;
      requireCountable(count);
      // Queries one after the other would delay other requests on SQLite.
      await Bun.sleep(0);
    }
    level = next;
  }
  return false;
}

async function requireNoRestore(trx: Transaction, workspaceId: string): Promise<void> {
  const restoring = await trx
    .selectFrom('workspaces')
    .innerJoin('trash_trees', 'trash_trees.id', 'workspaces.moving_tree_id')
    .select('trash_trees.id')
    .where('workspaces.id', '=', workspaceId)
    .where('state', '=', 'restoring')
    .executeTakeFirst();
  if (restoring) throw movingProblem();
}
