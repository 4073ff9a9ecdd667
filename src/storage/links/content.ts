import { sql } from 'kysely';
import type { Database, Reader } from '../../kernel/database/database.ts';
import { readerFor } from '../../kernel/database/reader-for.ts';
import { createTimeSlices, type GiveWay } from '../../kernel/event-loop/time-slices.ts';
import { notFound } from '../../kernel/problem.ts';
import type { Exports, FolderExport } from '../delivery/export.ts';
import { fromRow, type StoredFile } from '../tree/files/file.ts';
import { foldersAbove, isRooted, isRootedIn, pathBelow } from '../tree/folders/above.ts';
import { childrenOf, type FolderPageOptions, pageOfChildren } from '../tree/folders/folder.ts';
import { IS_OPEN, TREE_FILE_COLUMNS } from '../tree/folders/subtree.ts';
import { type Page, pageOf } from '../tree/listing.ts';
import type { LiveLink } from './access.ts';

/** A folder as visitors of a link see it, or the chosen files. */
export interface VisitedFolder {
  /** Null = the chosen files. */
  folder: NamedFolder | null;
  /** Folders from the shared one down to `folder` itself; empty for chosen files. */
  path: readonly NamedFolder[];
  /** Folders of chosen files below a deleted folder, whose own rows are not in the trash yet. */
  deletedFolders: readonly string[];
}

export interface NamedFolder {
  id: string;
  name: string;
}

interface LinkContentDeps {
  database: Database;
  exports: Exports;
}

interface PageOptions {
  limit: number;
  /** `nextCursor` of the previous page. */
  cursor?: string;
}

/**
 * The content that visitors of an opened link may see: everything in its folder, or the chosen files, except files with
 * their own password or access key.
 */
export interface LinkContent {
  /** @param folderId null = the shared folder, or the chosen files @throws Problem 404 */
  place(link: LiveLink, folderId: string | null): Promise<VisitedFolder>;
  /** Returns the folders in a place, by name. @param options null = all */
  folders(place: VisitedFolder, options: FolderPageOptions | null): Promise<NamedFolder[]>;
  /** Returns a page of the files in a place, by name. @throws Problem 400 for an invalid cursor */
  files(link: LiveLink, place: VisitedFolder, options: PageOptions): Promise<Page>;
  /** Returns the number of files in a place that are left out because they have their own password or key. */
  hidden(link: LiveLink, place: VisitedFolder): Promise<number>;
  /** Lays out a place with everything in it as a ZIP file; null when there is no file. @throws PathTooLong */
  export(link: LiveLink, place: VisitedFolder): Promise<FolderExport | null>;
  /** @throws Problem 404 */
  file(link: LiveLink, fileId: string): Promise<StoredFile>;
}

export function createLinkContent({ database, exports }: LinkContentDeps): LinkContent {
  const { read } = database;
  const giveWay = createTimeSlices();
  /** Returns the reader for queries that count or skip the hidden files of a place. */
  const readerOf = (link: LiveLink, place: VisitedFolder) =>
    readerFor(database, link.workspaceId, (reader) => hiddenIn(reader, link, place).select('folder_id'));
  return {
    async place(link, folderId) {
      if (link.access === 'upload') throw notFound();
      if (link.folderId === null) {
        if (folderId !== null) throw notFound();
        return { folder: null, path: [], deletedFolders: await deletedFoldersOf(read, link, giveWay) };
      }
      const path = await pathBelow(read, link.folderId, folderId ?? link.folderId);
      const folder = path?.at(-1);
      if (!path || !folder) throw notFound();
      return { folder, path, deletedFolders: [] };
    },
    async folders({ folder }, options) {
      if (!folder) return [];
      const found = options
        ? await pageOfChildren(database, folder, options)
        : await childrenOf(database, folder, giveWay);
      return found.map(({ id, name }) => ({ id, name }));
    },
    async files(link, place, options) {
      const files = filesIn(await readerOf(link, place), link, place)
        .selectAll()
        .where(IS_OPEN);
      return await pageOf(files, { ...options, sort: 'name', order: 'asc' });
    },
    async hidden(link, place) {
      const { count } = await hiddenIn(await readerOf(link, place), link, place)
        .select((of) => of.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return count;
    },
    async export(link, place) {
      if (place.folder)
        return await exports.folder({ id: place.folder.id, workspaceId: link.workspaceId }, 'open');
      const files = filesIn(read, link, place).where(IS_OPEN).select(TREE_FILE_COLUMNS).orderBy('name_key');
      return await exports.files(link.workspaceId, await files.execute());
    },
    file: (link, fileId) => fileIn(database, link, fileId),
  };
}

async function fileIn(database: Database, link: LiveLink, fileId: string): Promise<StoredFile> {
  if (link.access === 'upload') throw notFound();
  const row = await database.read
    .selectFrom('files')
    .selectAll()
    .where('id', '=', fileId)
    .where('deleted_at', 'is', null)
    .where(IS_OPEN)
    .executeTakeFirst();
  if (!row || !(await isShown(database, link, row))) throw notFound();
  return fromRow(row);
}

/** Starts a query over the files in a place that are not deleted. */
function filesIn(reader: Reader, link: LiveLink, { folder, deletedFolders }: VisitedFolder) {
  const files = reader.selectFrom('files').where('deleted_at', 'is', null);
  if (folder) return files.where('folder_id', '=', folder.id);
  const chosen = files
    .where('id', 'in', (from) =>
      from.selectFrom('link_files').select('file_id').where('link_id', '=', link.id),
    )
    .where('workspace_id', '=', link.workspaceId);
  return deletedFolders.length > 0 ? chosen.where('folder_id', 'not in', deletedFolders) : chosen;
}

/** Returns the folders of chosen files that are below a deleted one. */
async function deletedFoldersOf(reader: Reader, link: LiveLink, giveWay: GiveWay): Promise<string[]> {
  if (!link.hasMovingTree) return [];
  const files = filesIn(reader, link, { folder: null, path: [], deletedFolders: [] });
  const rows = await files.select('folder_id').distinct().execute();
  const ids = rows.map(({ folder_id }) => folder_id);
  const above = await foldersAbove(reader, ids, { giveWay });
  return ids.filter((id) => !isRootedIn(above, id));
}

/** Starts a query over the files in a place that visitors do not see. */
function hiddenIn(reader: Reader, link: LiveLink, place: VisitedFolder) {
  // As in the condition of the index `files_protected`.
  const isProtected = sql<boolean>`(password_hash is not null or access_key is not null)`;
  return filesIn(reader, link, place).where(isProtected);
}

/** Reports whether a file lies below the folder of a link, or was chosen for it. */
async function isShown(
  { read }: Database,
  link: LiveLink,
  file: { id: string; folder_id: string; workspace_id: string },
): Promise<boolean> {
  if (link.folderId !== null) return (await pathBelow(read, link.folderId, file.folder_id)) !== null;
  if (file.workspace_id !== link.workspaceId) return false;
  const chosen = await read
    .selectFrom('link_files')
    .select('file_id')
    .where('link_id', '=', link.id)
    .where('file_id', '=', file.id)
    .executeTakeFirst();
  return chosen !== undefined && (await isRooted(read, file.folder_id));
}
