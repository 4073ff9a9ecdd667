import { type RawBuilder, type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import type { Database, Reader, Tables } from '../../kernel/database/database.ts';
import { invalidField } from '../../kernel/problem.ts';
import { nameKey } from '../../text/name-key.ts';
import type { FilesTable } from '../tables.ts';
import { fromRow, type StoredFile } from './files/file.ts';
import { readerForTree } from './folders/subtree.ts';
import type { FoundRow } from './found-row.ts';

export const SORT_KEYS = ['name', 'size', 'date', 'type', 'taken'] as const;
export type SortKey = (typeof SORT_KEYS)[number];
export type SortOrder = 'asc' | 'desc';

interface Sorted {
  sort: SortKey;
  order: SortOrder;
}

export interface PageOptions extends Sorted {
  limit: number;
  /** `nextCursor` of the previous page. */
  cursor?: string;
}

export interface ListingOptions extends PageOptions {
  /** Part of the name, ignoring case. */
  search?: string;
}

export interface Page {
  files: StoredFile[];
  /** Null = the last page. */
  nextCursor: string | null;
}

interface Sort {
  /** Indexed expression of this order. */
  key: RawBuilder<string | number>;
  positionOf(file: Selectable<FilesTable>): string | number;
}

/** Time at which a picture or video was taken; for other files, the time of their upload. */
export const TAKEN = sql<number>`coalesce(taken_at, date_created)`;

const SORTS: Record<SortKey, Sort> = {
  name: { key: sql`name_key`, positionOf: (file) => file.name_key },
  size: { key: sql`size_bytes`, positionOf: (file) => file.size_bytes },
  date: { key: sql`date_created`, positionOf: (file) => file.date_created },
  type: { key: sql`mime_type`, positionOf: (file) => file.mime_type },
  taken: {
    key: TAKEN,
    positionOf: (file) => file.taken_at ?? file.date_created,
  },
};
const NUMERIC: ReadonlySet<SortKey> = new Set(['size', 'date', 'taken']);

/** Returns a page of a folder's files. @throws Problem 400 for an invalid cursor, or one of another order */
export type ListFiles = (folder: FoundRow, options: ListingOptions) => Promise<Page>;

export function createListFiles(database: Database): ListFiles {
  const inBothOrders = (sort: SortKey) => ({
    asc: prepareFirstPage(database, { sort, order: 'asc' }),
    desc: prepareFirstPage(database, { sort, order: 'desc' }),
  });
  const firstPages = {
    name: inBothOrders('name'),
    size: inBothOrders('size'),
    date: inBothOrders('date'),
    type: inBothOrders('type'),
    taken: inBothOrders('taken'),
  } satisfies Record<SortKey, unknown>;
  return async (folder, options) => {
    const { search, cursor, sort, order, limit } = options;
    if (!search && cursor === undefined) {
      const values = { folderId: folder.id, rows: limit + 1 };
      return pageFrom(await firstPages[sort][order](database.read, values), options);
    }
    if (!search) return await pageOf(filesOf(database.read, folder.id), options);
    // A search may read all files of the folder; a page is a range of an index.
    const files = filesOf(await readerForTree(database, folder), folder.id);
    const pattern = `%${nameKey(search).replace(/[%_\\]/g, '\\$&')}%`;
    return await pageOf(files.where(sql<boolean>`name_key like ${pattern} escape '\\'`), options);
  };
}

const prepareFirstPage = (database: Database, order: Sorted) =>
  database.prepare((reader: Reader, { folderId, rows }: { folderId: string; rows: number }) =>
    inOrder(filesOf(reader, folderId), order).limit(rows),
  );

const filesOf = (reader: Reader, folderId: string): FilesQuery =>
  reader.selectFrom('files').selectAll().where('folder_id', '=', folderId).where('deleted_at', 'is', null);

type FilesQuery = SelectQueryBuilder<Tables, 'files', Selectable<FilesTable>>;

/**
 * Returns a page of `files`. A cursor contains the position of the last row in the order, so that every page of the
 * files of a folder is a range of an index from there.
 * @throws Problem 400 for an invalid cursor, or one of another order
 */
export const pageOf = async (files: FilesQuery, options: PageOptions): Promise<Page> =>
  pageFrom(await selectRows(files, options), options);

/** Returns a page of the files of several queries, by when they were taken. @throws Problem 400 as `pageOf` */
export async function pageByTaken(
  queries: AsyncIterable<FilesQuery>,
  options: PageOptions & { sort: 'taken' },
): Promise<Page> {
  const direction = options.order === 'asc' ? 1 : -1;
  const { positionOf } = SORTS.taken;
  let rows: Selectable<FilesTable>[] = [];
  for await (const query of queries) {
    const found = [...rows, ...(await selectRows(query, options))];
    found.sort(
      (a, b) => direction * (Number(positionOf(a)) - Number(positionOf(b)) || (a.id < b.id ? -1 : 1)),
    );
    rows = found.slice(0, options.limit + 1);
  }
  return pageFrom(rows, options);
}

const inOrder = (files: FilesQuery, { sort, order }: Sorted): FilesQuery =>
  files.orderBy(SORTS[sort].key, order).orderBy('id', order);

/** Returns the rows of a page and, if there is one, the row after it. */
async function selectRows(files: FilesQuery, { limit, sort, order, cursor }: PageOptions) {
  const { key } = SORTS[sort];
  let query = inOrder(files, { sort, order }).limit(limit + 1);
  if (cursor !== undefined) {
    const [value, id] = readCursor(cursor, { sort, order });
    const after = sql.raw(order === 'asc' ? '>' : '<');
    query = query.where(sql<boolean>`(${key}, id) ${after} (${value}, ${id})`);
  }
  return await query.execute();
}

/** @param rows more than `limit` if there is another page */
function pageFrom(rows: readonly Selectable<FilesTable>[], options: PageOptions): Page {
  const { limit, sort } = options;
  const last = rows[limit - 1];
  return {
    files: rows.slice(0, limit).map(fromRow),
    nextCursor:
      rows.length > limit && last ? writeCursor(options, SORTS[sort].positionOf(last), last.id) : null,
  };
}

function writeCursor({ sort, order }: Sorted, value: string | number, id: string): string {
  return Buffer.from(JSON.stringify([sort, order, value, id])).toString('base64url');
}

function readCursor(cursor: string, { sort, order }: Sorted): [value: string | number, id: string] {
  try {
    const fields = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown;
    if (Array.isArray(fields)) {
      const [itsSort, itsOrder, value, id] = fields as unknown[];
      const fits = NUMERIC.has(sort) ? Number.isSafeInteger(value) : isPlainText(value);
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
