import type { Clock } from '../../../kernel/clock.ts';
import type { Reader, Transaction } from '../../../kernel/database/database.ts';
import { newId } from '../../../kernel/ids.ts';
import { pathTo } from '../folders/above.ts';
import { depthOf, MAX_DEPTH, requireDepth, requireVacancy } from '../folders/bounds.ts';
import { insertFolders } from '../folders/folder.ts';
import { folderNamed } from '../siblings.ts';
import { boundPlace } from './place-bound.ts';

/** The folders above a deleted file or folder: from below the root down to its parent. */
export type Place = readonly { id: string; name: string }[];

/** Returns the place of the content of a folder, without its highest folders when it is too long to store. */
export async function placeIn(reader: Reader, folderId: string): Promise<Place> {
  const path = await pathTo(reader, folderId);
  const below = path.filter(({ parent_id }) => parent_id !== null);
  return boundPlace(below.map(({ id, name }) => ({ id, name })));
}

/** Returns the place of the content of a folder of a tree in the trash. */
export async function placeInTree(
  reader: Reader,
  tree: { id: string; place: string },
  folderId: string,
): Promise<Place> {
  const inside: { id: string; name: string }[] = [];
  for (let next: string | null = folderId; next !== null; ) {
    const folder: { id: string; name: string; parent_id: string | null } | undefined = await reader
      .selectFrom('trash_folders')
      .select(['id', 'name', 'parent_id'])
      .where('tree_id', '=', tree.id)
      .where('id', '=', next)
      .executeTakeFirst();
    if (folder) inside.unshift({ id: folder.id, name: folder.name });
    next = folder && folder.id !== tree.id ? folder.parent_id : null;
  }
  return [...readPlace(tree.place), ...inside];
}

/** Returns the place of a deleted file that is not part of a tree. Earlier versions did not record it. */
export async function placeOf(
  reader: Reader,
  { place, folder_id }: { place: string | null; folder_id: string },
): Promise<Place> {
  return place === null ? await placeIn(reader, folder_id) : readPlace(place);
}

export function readPlace(text: string): Place {
  return JSON.parse(text) as Place;
}

/**
 * Returns the folder of a place, with the workspace locked. Folders that are gone are created again, unless others with
 * their names exist. They must not be deeper than allowed, unless the place was.
 * @throws Problem 409 `folder_too_deep`, `folder_full`
 */
export async function findOrCreatePlace(
  trx: Transaction,
  clock: Clock,
  workspaceId: string,
  place: Place,
): Promise<string> {
  const { root_folder_id } = await trx
    .selectFrom('workspaces')
    .select('root_folder_id')
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  const live = new Set(await liveFolders(trx, workspaceId, place));
  const deepest = place.findLastIndex(({ id }) => live.has(id));
  let folderId = place[deepest]?.id ?? root_folder_id;
  let isCreating = false;
  const missing = place.slice(deepest + 1);
  for (const [index, { name }] of missing.entries()) {
    const sibling = await folderNamed(trx, folderId, name);
    if (!sibling && !isCreating) {
      const depth = (await depthOf(trx, folderId)) + missing.length - index;
      requireDepth(depth, Math.max(MAX_DEPTH, place.length));
      await requireVacancy(trx, folderId);
    }
    isCreating = !sibling;
    const folder = { id: newId(), workspaceId, parentId: folderId, name, dateCreated: clock.now() };
    if (!sibling) await insertFolders(trx, [folder], null);
    folderId = sibling?.id ?? folder.id;
  }
  return folderId;
}

async function liveFolders(trx: Transaction, workspaceId: string, place: Place): Promise<string[]> {
  if (place.length === 0) return [];
  const rows = await trx
    .selectFrom('folders')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('deleted_at', 'is', null)
    .where(
      'id',
      'in',
      place.map(({ id }) => id),
    )
    .execute();
  return rows.map(({ id }) => id);
}
