import type { Database } from '../../../kernel/database/database.ts';
import type { GiveWay } from '../../../kernel/event-loop/time-slices.ts';
import { newId } from '../../../kernel/ids.ts';
import { Problem } from '../../../kernel/problem.ts';
import type { FoundRow } from '../found-row.ts';
import { requireSubfolders } from './bounds.ts';
import { folderUsage } from './folder.ts';
import { inPreorder } from './preorder.ts';
import { pagesOfFolders, readerForTree, type TreeFolder } from './subtree.ts';

/** The content of a folder that is copied. */
export interface CopyPlan {
  /** All folders below it, each after its parent. */
  below: readonly TreeFolder[];
  /** Ids of the copies of the folder and of those below it. */
  ids: ReadonlyMap<string, string>;
  /** Number of levels of folders, its own included. */
  levels: number;
  /** Sum of the sizes of all files. */
  bytes: number;
}

/** Number of folders that are planned between two checks of the clock. */
const FOLDERS_AT_ONCE = 64;

/**
 * Reads the folders below a folder, in time slices.
 * @param longest maximum number of files and folders
 * @throws Problem 409 `folder_too_large`, `folder_full`
 */
export async function planCopy(
  database: Database,
  source: FoundRow,
  { longest, giveWay }: { longest: number; giveWay: GiveWay },
): Promise<CopyPlan> {
  const { children, count } = await readChildren(database, source, longest);
  const { usedBytes, fileCount } = await folderUsage(database, source);
  requireShort(count + fileCount, longest);
  const below: TreeFolder[] = [];
  const ids = new Map([[source.id, newId()]]);
  const levelOf = new Map<string | null, number>([[source.id, 1]]);
  let levels = 1;
  for (const folder of inPreorder(children, source.id)) {
    const level = (levelOf.get(folder.parent_id) ?? 0) + 1;
    levelOf.set(folder.id, level);
    levels = Math.max(levels, level);
    ids.set(folder.id, newId());
    if (below.push(folder) % FOLDERS_AT_ONCE === 0) await giveWay();
  }
  return { below, ids, levels, bytes: usedBytes };
}

/** Returns the folders below a folder by the id of their parent, and the number of all. */
async function readChildren(database: Database, source: FoundRow, longest: number) {
  const reader = await readerForTree(database, source);
  const children = new Map<string | null, TreeFolder[]>();
  let count = 0;
  for await (const page of pagesOfFolders(reader, source.id)) {
    count += page.length;
    requireShort(count, longest);
    for (const [parentId, folders] of Map.groupBy(page, ({ parent_id }) => parent_id)) {
      const siblings = [...(children.get(parentId) ?? []), ...folders];
      requireSubfolders(siblings.length);
      children.set(parentId, siblings);
    }
  }
  return { children, count };
}

/** @throws Problem 409 `folder_too_large` */
function requireShort(entries: number, longest: number): void {
  if (entries > longest)
    throw new Problem('folder_too_large', `A copy can have at most ${longest} files and folders.`);
}
