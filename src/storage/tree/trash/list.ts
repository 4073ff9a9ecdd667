import { sql } from 'kysely';
import type { Database } from '../../../kernel/database/database.ts';
import { invalidField } from '../../../kernel/problem.ts';
import { fromRow, type StoredFile } from '../file.ts';
import { type Place, placeOf, readPlace } from './places.ts';
import type { TrashSpace } from './space.ts';

/** Maximum number of folders in the shown path of an entry. */
const SHOWN_FOLDERS = 100;

/** A deleted file, or a deleted folder with all that was below it. */
export interface TrashEntry {
  /** Id of the file or folder. */
  id: string;
  name: string;
  /** Names of the folders above it, from below the root; of more than 100, the last ones. */
  path: string[];
  sizeBytes: number;
  fileCount: number;
  /** Ms since the epoch. */
  deletedAt: number;
  /** The account; null = unknown. */
  deletedBy: string | null;
  /** Null = a folder. */
  file: StoredFile | null;
}

export interface TrashPage {
  entries: TrashEntry[];
  /** Null = the last page. */
  nextCursor: string | null;
}

interface Cursor {
  deletedAt: number;
  id: string;
}

interface Range {
  workspaceId: string;
  since: number;
  limit: number;
  /** The entry before the page; null = the first page. */
  after: Cursor | null;
}

/** Returns a page of what can be restored, the last deleted first. @throws Problem 400 for an invalid cursor */
export async function listTrash(
  { database, trashSpace }: { database: Database; trashSpace: TrashSpace },
  workspaceId: string,
  { limit, cursor }: { limit: number; cursor?: string },
): Promise<TrashPage> {
  const since = await trashSpace.keptSince(database.read, workspaceId);
  const range = { workspaceId, since, limit, after: cursor === undefined ? null : readCursor(cursor) };
  const both = [...(await readFiles(database, range)), ...(await readTrees(database, range))].sort(
    (a, b) => b.deletedAt - a.deletedAt || (a.id < b.id ? 1 : -1),
  );
  const entries = both.slice(0, limit);
  const last = entries.at(-1);
  return { entries, nextCursor: both.length > limit && last ? `${last.deletedAt}.${last.id}` : null };
}

/** Returns one file more than a page has, if there are so many. */
async function readFiles({ read }: Database, { workspaceId, since, limit, after }: Range) {
  let query = read
    .selectFrom('files')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('deleted_at', '>=', since)
    .where('trash_id', 'is', null)
    .orderBy('deleted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (after) query = query.where(isBehind(after));
  const entries: TrashEntry[] = [];
  for (const row of await query.execute()) {
    const place = await placeOf(read, row);
    entries.push({
      id: row.id,
      name: row.original_name,
      path: namesOf(place),
      sizeBytes: row.size_bytes,
      fileCount: 1,
      deletedAt: row.deleted_at ?? 0,
      deletedBy: row.deleted_by,
      file: fromRow(row),
    });
  }
  return entries;
}

/** Returns one tree more than a page has, if there are so many. */
async function readTrees({ read }: Database, { workspaceId, since, limit, after }: Range) {
  let query = read
    .selectFrom('trash_trees')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('deleted_at', '>=', since)
    .where('state', 'in', ['kept', 'removing'])
    .orderBy('deleted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (after) query = query.where(isBehind(after));
  return (await query.execute()).map(
    (row): TrashEntry => ({
      id: row.id,
      name: row.name,
      path: namesOf(readPlace(row.place)),
      sizeBytes: row.size_bytes,
      fileCount: row.file_count,
      deletedAt: row.deleted_at,
      deletedBy: row.deleted_by,
      file: null,
    }),
  );
}

/** Holds for entries that come behind another in the list. */
function isBehind({ deletedAt, id }: Cursor) {
  return sql<boolean>`(deleted_at, id) < (${deletedAt}, ${id})`;
}

/** Places of earlier versions may be longer. */
function namesOf(place: Place): string[] {
  return place.slice(-SHOWN_FOLDERS).map(({ name }) => name);
}

function readCursor(cursor: string): Cursor {
  const [, time, id] = /^(\d{1,15})\.([\w-]{1,64})$/.exec(cursor) ?? [];
  if (time === undefined || id === undefined)
    throw invalidField('cursor', 'must come from the Link of the previous page');
  return { deletedAt: Number(time), id };
}
