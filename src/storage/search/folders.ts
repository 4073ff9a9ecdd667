import { sql } from 'kysely';
import type { Database, Reader } from '../../kernel/database/database.ts';
import { readerFor } from '../../kernel/database/reader-for.ts';
import { FOLDER_COLUMNS, type Folder, folderFromRow } from '../tree/folder.ts';
import { isRooted, namesTo } from '../tree/subtree.ts';
import { namePattern } from './parts.ts';

/** A folder, and the folders above it from the root down, without the root. */
export type FoundFolder = Folder & { path: string[] };

/** Maximum number of matches below folders that are being deleted, for which others are returned. */
const BELOW_DELETED = 100;

/**
 * Returns folders of workspaces whose names contain a text, the shortest names first. Roots are left out.
 * @param caller whose turn it is among queries of many rows
 */
export async function searchFolders(
  database: Database,
  workspaceIds: readonly string[],
  { query, limit, caller }: { query: string; limit: number; caller: string },
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
  const found: FoundFolder[] = [];
  for (const row of rows) {
    if (found.length === limit) break;
    const folder = await withPath(database.read, folderFromRow(row));
    if (folder) found.push(folder);
  }
  return found;
}

/** Returns null when a folder above is deleted. */
async function withPath(reader: Reader, folder: Folder): Promise<FoundFolder | null> {
  if (!(await isRooted(reader, folder.id))) return null;
  const names = await namesTo(reader, folder.id, folder.workspaceId);
  return { ...folder, path: names.slice(0, -1) };
}
