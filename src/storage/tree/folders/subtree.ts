import { type Selectable, sql } from 'kysely';
import { batchesOf } from '../../../kernel/batches-of.ts';
import type { Database, Reader } from '../../../kernel/database/database.ts';
import { FEW_ROWS, readerFor } from '../../../kernel/database/reader-for.ts';
import type { FilesTable, FoldersTable } from '../../tables.ts';
import type { FoundRow } from '../found-row.ts';

const COLUMNS = ['folders.id', 'folders.parent_id', 'folders.name', 'folders.date_created'] as const;

export type TreeFolder = Pick<Selectable<FoldersTable>, 'id' | 'parent_id' | 'name' | 'date_created'>;

/** Returns the reader for queries over the files of a folder and of all folders below it. */
export async function readerForTree(database: Database, { id, workspaceId }: FoundRow): Promise<Reader> {
  return await readerFor(database, workspaceId, (reader) =>
    subtree(reader, id, FEW_ROWS + 1)
      .selectFrom('tree')
      .leftJoin('files', (join) => join.onRef('folder_id', '=', 'tree.id').on('deleted_at', 'is', null))
      .select('tree.id'),
  );
}

/**
 * Starts a query over `tree`: the folder and all folders below it, at any depth. @param limit maximum number of
 * folders; only on SQLite
 */
function subtree(reader: Reader, folderId: string, limit?: number) {
  return reader.withRecursive('tree', (with_) => {
    const folders = with_
      .selectFrom('folders')
      .select(COLUMNS)
      .where('folders.id', '=', folderId)
      .unionAll((union) =>
        union
          .selectFrom('folders')
          .innerJoin('tree', 'tree.id', 'folders.parent_id')
          .select(COLUMNS)
          .where('folders.deleted_at', 'is', null),
      );
    return limit === undefined ? folders : folders.limit(limit);
  });
}

/** Maximum number of folders of one result, which the main thread receives at once. */
const PAGE = 2_000;
/** Number of folders whose subfolders one query reads. */
const PARENTS_AT_ONCE = 500;

/**
 * Returns pages of the folder and all folders below it, at any depth, each after its parent; siblings by age. In a
 * large tree, folders that are moved meanwhile may be missing.
 */
export async function* pagesOfFolders(reader: Reader, folderId: string): AsyncGenerator<TreeFolder[]> {
  const few = await subtree(reader, folderId)
    .selectFrom('tree')
    .selectAll()
    .limit(PAGE + 1)
    .execute();
  if (few.length <= PAGE) return yield few.sort(byAge);
  const seen = new Set([folderId]);
  yield few.filter(({ id }) => id === folderId);
  for (let level = [folderId]; level.length > 0; ) {
    const next: string[] = [];
    for await (const page of pagesOfChildren(reader, level)) {
      // A folder that is moved meanwhile can be found twice.
      const added = page.filter(({ id }) => !seen.has(id));
      for (const { id } of added) seen.add(id);
      for (const { id } of added) next.push(id);
      yield added;
    }
    level = next;
  }
}

/**
 * Returns pages of the subfolders of any number of folders. Each page is a range of an index, so its cost depends only
 * on its rows.
 */
export async function* pagesOfChildren(
  reader: Reader,
  parentIds: readonly string[],
): AsyncGenerator<TreeFolder[]> {
  for (const batch of batchesOf(parentIds, PARENTS_AT_ONCE)) {
    for (let rest = batch; rest.length > 0; ) {
      const page = await selectChildren(reader, rest).execute();
      yield page;
      const last = page.at(-1);
      if (!last || page.length < PAGE) break;
      yield* childrenAfter(reader, last);
      const read = new Set(page.map(({ parent_id }) => parent_id));
      rest = rest.filter((id) => !read.has(id));
    }
  }
}

/** Returns the pages of the siblings that follow a folder. */
async function* childrenAfter(reader: Reader, folder: TreeFolder): AsyncGenerator<TreeFolder[]> {
  for (let last: TreeFolder | undefined = folder; last?.parent_id; ) {
    const { parent_id, id }: TreeFolder = last;
    const page: TreeFolder[] = await selectChildren(reader, [parent_id]).where('id', '>', id).execute();
    yield page;
    last = page.length < PAGE ? undefined : page.at(-1);
  }
}

function selectChildren(reader: Reader, parentIds: readonly string[]) {
  return reader
    .selectFrom('folders')
    .select(COLUMNS)
    .where('parent_id', 'in', parentIds)
    .where('deleted_at', 'is', null)
    .orderBy('parent_id')
    .orderBy('id')
    .limit(PAGE);
}

function byAge(a: TreeFolder, b: TreeFolder): number {
  return a.date_created - b.date_created || (a.id < b.id ? -1 : 1);
}

/**
 * Number of folders of one query. Their files are selected by a list of ids: with a join or a subquery, PostgreSQL
 * overestimates the number of folders and reads all files of all workspaces. Few, since it assumes that each folder is
 * of average size.
 */
const FOLDERS_AT_ONCE = 50;

/** Returns the ids of folders in groups for `filesIn`. */
export function* groupsOf(folders: readonly { id: string }[]): Generator<string[]> {
  for (const batch of batchesOf(folders, FOLDERS_AT_ONCE)) yield batch.map(({ id }) => id);
}

/** Starts a query over the files of folders, without those in the trash. @param folderIds a group of `groupsOf` */
export function filesIn(reader: Reader, folderIds: readonly string[]) {
  return reader.selectFrom('files').where('folder_id', 'in', folderIds).where('deleted_at', 'is', null);
}

/** The condition of files that no password or key protects. */
export const IS_OPEN = sql<boolean>`(files.password_hash is null and files.access_key is null)`;

const FILES_AT_ONCE = 2000;
export const TREE_FILE_COLUMNS = [
  'id',
  'folder_id',
  'original_name',
  'size_bytes',
  'crc32',
  'sha256',
  'blob_key',
  'date_created',
  'date_modified',
] as const;

export type TreeFile = Pick<Selectable<FilesTable>, (typeof TREE_FILE_COLUMNS)[number]>;

/** All files, or those that no password or key protects. */
export type Chosen = 'all' | 'open';

/** Returns pages of the files of folders; the files of one folder by age. Each page is a range of an index. */
export async function* pagesOfFiles(
  reader: Reader,
  folders: readonly { id: string }[],
  chosen: Chosen = 'all',
): AsyncGenerator<TreeFile[], void, undefined> {
  for (const group of groupsOf(folders)) {
    for (let rest = group; rest.length > 0; ) {
      const page = await selectPage(reader, rest, chosen).execute();
      yield page;
      const last = page.at(-1);
      if (!last || page.length < FILES_AT_ONCE) break;
      yield* pagesAfter(reader, last, chosen);
      const read = new Set(page.map(({ folder_id }) => folder_id));
      rest = rest.filter((id) => !read.has(id));
    }
  }
}

/** Returns the pages of the rest of a folder's files. */
async function* pagesAfter(
  reader: Reader,
  file: TreeFile,
  chosen: Chosen,
): AsyncGenerator<TreeFile[], void, undefined> {
  for (let last: TreeFile | undefined = file; last; ) {
    const { folder_id, date_created, id }: TreeFile = last;
    const page: TreeFile[] = await selectPage(reader, [folder_id], chosen)
      .where((where) => where(where.refTuple('date_created', 'id'), '>', where.tuple(date_created, id)))
      .execute();
    yield page;
    last = page.length < FILES_AT_ONCE ? undefined : page.at(-1);
  }
}

function selectPage(reader: Reader, folderIds: readonly string[], chosen: Chosen) {
  const files = filesIn(reader, folderIds);
  return (chosen === 'open' ? files.where(IS_OPEN) : files)
    .select(TREE_FILE_COLUMNS)
    .orderBy('folder_id')
    .orderBy('date_created')
    .orderBy('id')
    .limit(FILES_AT_ONCE);
}
