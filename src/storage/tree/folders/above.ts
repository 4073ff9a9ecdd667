import type { Reader } from '../../../kernel/database/database.ts';
import type { GiveWay } from '../../../kernel/event-loop/time-slices.ts';

interface FolderAbove {
  id: string;
  workspace_id: string;
  /** Null = the root. */
  parent_id: string | null;
  name: string;
}

/** Folders and all folders above them, by their ids. */
export type Above = ReadonlyMap<string, FolderAbove>;

/** Maximum number of rows of one query, which SQLite runs on the calling thread. */
const ROWS_AT_ONCE = 250;

interface Reading {
  /** The folder at which the reading ends. */
  until?: string;
  /** Called between two queries. */
  giveWay?: GiveWay;
}

/**
 * Returns folders and all folders above them. Each row is read about once, however many of the folders are below it.
 */
export async function foldersAbove(
  reader: Reader,
  folderIds: readonly string[],
  { until, giveWay }: Reading = {},
): Promise<Above> {
  const above = new Map<string, FolderAbove>();
  let missing = [...new Set(folderIds)];
  while (missing.length > 0) {
    const rows = await upFrom(reader, missing, until).execute();
    for (const row of rows) above.set(row.id, row);
    if (rows.length < ROWS_AT_ONCE) break;
    const parents = rows.flatMap(({ id, parent_id }) => (id === until ? [] : (parent_id ?? [])));
    missing = [...new Set([...missing, ...parents])].filter((id) => !above.has(id));
    await giveWay?.();
  }
  return above;
}

/** Starts a query over folders and those above them, the nearest first. */
function upFrom(reader: Reader, folderIds: readonly string[], until?: string) {
  const columns = ['folders.id', 'folders.workspace_id', 'folders.parent_id', 'folders.name'] as const;
  return reader
    .withRecursive('up', (with_) =>
      with_
        .selectFrom('folders')
        .select(columns)
        .where('folders.id', 'in', folderIds)
        .union((union) => {
          const parents = union
            .selectFrom('up')
            .innerJoin('folders', 'folders.id', 'up.parent_id')
            .select(columns);
          return until === undefined ? parents : parents.where('up.id', '!=', until);
        }),
    )
    .selectFrom('up')
    .selectAll()
    .limit(ROWS_AT_ONCE);
}

/** Yields a folder and those above it, the folder itself first. Ends if they form a cycle, in a damaged database. */
export function* lineIn(above: Above, folderId: string): Generator<FolderAbove, void, undefined> {
  let folder = above.get(folderId);
  for (let left = above.size; folder && left > 0; left--) {
    yield folder;
    folder = above.get(folder.parent_id ?? '');
  }
}

async function readLine(reader: Reader, folderId: string): Promise<FolderAbove[]> {
  return [...lineIn(await foldersAbove(reader, [folderId]), folderId)];
}

/**
 * Returns the folders from the root down to the folder itself. While a folder above it is moved to another workspace,
 * returns only those that are still in the workspace of the folder itself.
 */
export async function pathTo(reader: Reader, folderId: string): Promise<FolderAbove[]> {
  const line = await readLine(reader, folderId);
  return line.filter(({ workspace_id }) => workspace_id === line[0]?.workspace_id).reverse();
}

/**
 * Returns the folders from `topId` down to a folder; null when it is not below `topId`, or when a folder above is
 * deleted.
 */
export async function pathBelow(
  reader: Reader,
  topId: string,
  folderId: string,
): Promise<{ id: string; name: string }[] | null> {
  const line = await readLine(reader, folderId);
  const top = line.findIndex(({ id }) => id === topId);
  if (line.at(-1)?.parent_id !== null || top < 0) return null;
  return line
    .slice(0, top + 1)
    .reverse()
    .map(({ id, name }) => ({ id, name }));
}

/** Reports whether the path from a folder to the root is complete: no folder above it is deleted. */
export async function isRooted(reader: Reader, folderId: string): Promise<boolean> {
  return isRootedIn(await foldersAbove(reader, [folderId]), folderId);
}

/** Reports whether no folder above is deleted. */
export function isRootedIn(above: Above, folderId: string): boolean {
  return [...lineIn(above, folderId)].at(-1)?.parent_id === null;
}

/**
 * Returns the names of the folders below the root down to the folder itself. While a tree moves to another
 * workspace, it has folders in both; only those in the folder's own are named.
 * @param most maximum number of names; the last ones are returned
 */
export function namesIn(
  above: Above,
  { id, workspaceId }: { id: string; workspaceId: string },
  most: number,
): string[] {
  const names: string[] = [];
  for (const folder of lineIn(above, id)) {
    if (names.length === most) break;
    if (folder.parent_id !== null && folder.workspace_id === workspaceId) names.push(folder.name);
  }
  return names.reverse();
}

/** Returns those of the folders that are the folder `rootId` or below it. */
export async function foldersInside(
  reader: Reader,
  { rootId, giveWay }: { rootId: string; giveWay?: GiveWay },
  folderIds: readonly string[],
): Promise<Set<string>> {
  const above = await foldersAbove(reader, folderIds, { until: rootId, giveWay });
  const isInside = new Map([[rootId, above.has(rootId)]]);
  for (const id of folderIds) {
    await giveWay?.();
    const line: string[] = [];
    let found: boolean | undefined;
    for (const folder of lineIn(above, id)) {
      found = isInside.get(folder.id);
      if (found !== undefined) break;
      line.push(folder.id);
    }
    for (const passed of line) isInside.set(passed, found ?? false);
  }
  return new Set(folderIds.filter((id) => isInside.get(id)));
}
