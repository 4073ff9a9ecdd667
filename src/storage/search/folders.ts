import { sql } from 'kysely';
import type { Database, Reader } from '../../kernel/database/database.ts';
import { readerFor } from '../../kernel/database/reader-for.ts';
import type { GiveWay } from '../../kernel/event-loop/time-slices.ts';
import { type Above, foldersAbove, isRootedIn, namesIn } from '../tree/folders/above.ts';
import { MAX_DEPTH } from '../tree/folders/bounds.ts';
import { FOLDER_COLUMNS, type Folder, folderFromRow } from '../tree/folders/folder.ts';
import { namePattern } from './parts.ts';
import { withinLength } from './within-length.ts';

/** A folder, and the folders above it from the root down, without the root; of more than `MAX_DEPTH`, the last ones. */
export type FoundFolder = Folder & { path: string[] };

/** Number of additional matches that are read, in place of those below folders that are being deleted. */
const BELOW_DELETED = 100;

/**
 * Returns folders of workspaces whose names contain a text, the shortest names first: fewer than `limit` when their
 * paths are very long. Roots are left out.
 * @param caller for fairness among queries of many rows
 */
export async function searchFolders(
  database: Database,
  workspaceIds: readonly string[],
  { query, limit, caller, giveWay }: { query: string; limit: number; caller: string; giveWay?: GiveWay },
): Promise<FoundFolder[]> {
  if (workspaceIds.length === 0) return [];
  const open = (reader: Reader) =>
    reader
      .selectFrom('folders')
      .select(FOLDER_COLUMNS)
      .where('workspace_id', 'in', workspaceIds)
      .where('deleted_at', 'is', null);
  const reader = await readerFor(database, caller, open);
  const rows = await open(reader)
    .where('parent_id', 'is not', null)
    .where(sql<boolean>`name_key like ${namePattern(query)} escape '\\'`)
    .orderBy(sql`length(name_key)`)
    .orderBy('name_key')
    .orderBy('id')
    .limit(limit + BELOW_DELETED)
    .execute();
  const folderIds = rows.map(({ id }) => id);
  const above = await foldersAbove(database.read, folderIds, { giveWay });
  const rooted = rows.filter(({ id }) => isRootedIn(above, id)).slice(0, limit);
  return withinLength(rooted.map((row) => withPath(above, folderFromRow(row))));
}

function withPath(above: Above, folder: Folder): FoundFolder {
  const { parentId, workspaceId } = folder;
  return { ...folder, path: namesIn(above, { id: parentId ?? '', workspaceId }, MAX_DEPTH) };
}
