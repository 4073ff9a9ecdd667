import { type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import type { Database, Tables } from '../../kernel/database/database.ts';
import { invalidField } from '../../kernel/problem.ts';
import type { FilesTable } from '../tables.ts';
import { fromRow, type StoredFile } from './file.ts';
import { nameKey } from './names.ts';
import { readerForTree, type TreeRoot } from './subtree.ts';

export type SortKey = 'name' | 'size' | 'date' | 'type';
export type SortOrder = 'asc' | 'desc';

export interface PageOptions {
  limit: number;
  sort: SortKey;
  order: SortOrder;
  /** `nextCursor` of the previous page. */
  cursor?: string;
}

export interface ListingOptions extends PageOptions {
  /** Part of the name, in any case. */
  search?: string;
}

export interface Page {
  files: StoredFile[];
  /** Null = the last page. */
  nextCursor: string | null;
}

const COLUMNS = { name: 'name_key', size: 'size_bytes', date: 'date_created', type: 'mime_type' } as const;

/** Returns a page of a folder's files. @throws Problem 400 for an invalid cursor, or one of another order */
export async function listFiles(
  database: Database,
  folder: TreeRoot,
  options: ListingOptions,
): Promise<Page> {
  const { search } = options;
  // A search may read all files of the folder; a page is a range of an index.
  const reader = search ? await readerForTree(database, folder) : database.read;
  const files = reader
    .selectFrom('files')
    .selectAll()
    .where('folder_id', '=', folder.id)
    .where('deleted_at', 'is', null);
  if (!search) return await pageOf(files, options);
  const pattern = `%${nameKey(search).replace(/[%_\\]/g, '\\$&')}%`;
  return await pageOf(files.where(sql<boolean>`name_key like ${pattern} escape '\\'`), options);
}

/**
 * Returns a page of `files`. A cursor contains the position of the last row in the order, so that every page of the
 * files of a folder is one walk along an index from there.
 * @throws Problem 400 for an invalid cursor, or one of another order
 */
export async function pageOf(
  files: SelectQueryBuilder<Tables, 'files', Selectable<FilesTable>>,
  options: PageOptions,
): Promise<Page> {
  const { limit, sort, order, cursor } = options;
  const column = COLUMNS[sort];
  let query = files
    .orderBy(column, order)
    .orderBy('id', order)
    .limit(limit + 1);
  if (cursor !== undefined) {
    const [value, id] = readCursor(cursor, options);
    query = query.where((where) =>
      where(where.refTuple(column, 'id'), order === 'asc' ? '>' : '<', where.tuple(value, id)),
    );
  }
  const rows = await query.execute();
  const last = rows[limit - 1];
  return {
    files: rows.slice(0, limit).map(fromRow),
    nextCursor: rows.length > limit && last ? writeCursor(options, last[column], last.id) : null,
  };
}

function writeCursor({ sort, order }: PageOptions, value: string | number, id: string): string {
  return Buffer.from(JSON.stringify([sort, order, value, id])).toString('base64url');
}

function readCursor(cursor: string, { sort, order }: PageOptions): [value: string | number, id: string] {
  try {
    const fields = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown;
    if (Array.isArray(fields)) {
      const [itsSort, itsOrder, value, id] = fields as unknown[];
      const fits = sort === 'size' || sort === 'date' ? Number.isSafeInteger(value) : isPlainText(value);
      if (itsSort === sort && itsOrder === order && fits && isPlainText(id))
        return [value as string | number, id];
    }
  } catch {
    // Reported below, like every other invalid cursor.
  }
  throw invalidField('cursor', 'must come from the Link of the previous page, with the same sort and order');
}

function isPlainText(value: unknown): value is string {
  return typeof value === 'string' && !/\p{Cc}/u.test(value);
}
