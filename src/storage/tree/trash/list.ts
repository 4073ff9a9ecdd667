import { sql } from 'kysely';
import { MB } from '../../../kernel/bytes.ts';
import type { Database, Reader } from '../../../kernel/database/database.ts';
import { firstWithin } from '../../../kernel/first-within.ts';
import { fromRow, type StoredFile } from '../files/file.ts';
import { formatCursor, isBehind, parseCursor, type TimeCursor } from '../time-cursor.ts';
import { type Place, placeOf, readPlace } from './places.ts';
import type { TrashSpace } from './space.ts';

/** Maximum number of folders in the shown path of an entry. */
const SHOWN_FOLDERS = 100;
/** Maximum length of the places of a page: about a thousand usual ones, or ten of the longest. */
const MAX_PLACE_BYTES = MB;

/** A deleted file, or a deleted folder with everything that was in it. */
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

interface Range {
  workspaceId: string;
  since: number;
  limit: number;
  /** The entry before the page; null = the first page. */
  after: TimeCursor | null;
}

/** Returns a page of what can be restored, the last deleted first. @throws Problem 400 for an invalid cursor */
export async function listTrash(
  { database, trashSpace }: { database: Database; trashSpace: TrashSpace },
  workspaceId: string,
  { limit, cursor }: { limit: number; cursor?: string },
): Promise<TrashPage> {
  const { read } = database;
  const since = await trashSpace.keptSince(read, workspaceId);
  const range = { workspaceId, since, limit, after: parseCursor(cursor) };
  const heads = [...(await headsOfFiles(read, range)), ...(await headsOfTrees(read, range))].sort(byDeletion);
  const page = firstWithin(heads.slice(0, limit), MAX_PLACE_BYTES, (head) => head.placeBytes ?? 0);
  const last = page.at(-1);
  const ids = page.map(({ id }) => id);
  const entries = ids.length === 0 ? [] : [...(await readFiles(read, ids)), ...(await readTrees(read, ids))];
  return {
    entries: entries.sort(byDeletion),
    nextCursor:
      heads.length > page.length && last ? formatCursor({ time: last.deletedAt, id: last.id }) : null,
  };
}

type Deleted = Pick<TrashEntry, 'id' | 'deletedAt'>;

/** An entry, and the length of its place in bytes. */
interface Head extends Deleted {
  placeBytes: number | null;
}

const HEAD_COLUMNS = [
  'id',
  sql<number>`deleted_at`.as('deletedAt'),
  sql<number | null>`octet_length(place)`.as('placeBytes'),
] as const;

function byDeletion(a: Deleted, b: Deleted): number {
  return b.deletedAt - a.deletedAt || (a.id < b.id ? 1 : -1);
}

/** Returns at most one file more than a page has. */
async function headsOfFiles(read: Reader, { workspaceId, since, limit, after }: Range): Promise<Head[]> {
  let query = read
    .selectFrom('files')
    .select(HEAD_COLUMNS)
    .where('workspace_id', '=', workspaceId)
    .where('deleted_at', '>=', since)
    .where('trash_id', 'is', null)
    .orderBy('deleted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (after) query = query.where(isBehind('deleted_at', after));
  return await query.execute();
}

/** Returns at most one tree more than a page has. */
async function headsOfTrees(read: Reader, { workspaceId, since, limit, after }: Range): Promise<Head[]> {
  let query = read
    .selectFrom('trash_trees')
    .select(HEAD_COLUMNS)
    .where('workspace_id', '=', workspaceId)
    .where('deleted_at', '>=', since)
    .where('state', 'in', ['kept', 'removing'])
    .orderBy('deleted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (after) query = query.where(isBehind('deleted_at', after));
  return await query.execute();
}

async function readFiles(read: Reader, ids: readonly string[]): Promise<TrashEntry[]> {
  const rows = await read
    .selectFrom('files')
    .selectAll()
    .where('id', 'in', ids)
    .where('deleted_at', 'is not', null)
    .execute();
  const entries: TrashEntry[] = [];
  for (const row of rows) {
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

async function readTrees(read: Reader, ids: readonly string[]): Promise<TrashEntry[]> {
  const rows = await read.selectFrom('trash_trees').selectAll().where('id', 'in', ids).execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    path: namesOf(readPlace(row.place)),
    sizeBytes: row.size_bytes,
    fileCount: row.file_count,
    deletedAt: row.deleted_at,
    deletedBy: row.deleted_by,
    file: null,
  }));
}

/** Places of earlier versions may be longer. */
function namesOf(place: Place): string[] {
  return place.slice(-SHOWN_FOLDERS).map(({ name }) => name);
}
