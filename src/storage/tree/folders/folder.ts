import type { Selectable } from 'kysely';
import type { Database, Reader, Transaction } from '../../../kernel/database/database.ts';
import type { GiveWay } from '../../../kernel/event-loop/time-slices.ts';
import { nameKey } from '../../../text/name-key.ts';
import type { FoldersTable } from '../../tables.ts';
import type { FoundRow } from '../found-row.ts';
import { type Member, type MembershipQuery, prepareReach } from '../member.ts';
import { filesIn, groupsOf, pagesOfFolders, readerForTree } from './subtree.ts';

export interface Folder {
  id: string;
  workspaceId: string;
  /** Null = the root. */
  parentId: string | null;
  name: string;
  /** Ms since the epoch. */
  dateCreated: number;
}

export interface FolderUsage {
  usedBytes: number;
  fileCount: number;
  /** Subfolders at any depth. */
  folderCount: number;
}

/** A page of the folders in a folder. */
export interface FolderPageOptions {
  limit: number;
  /** Name after which the page begins; undefined = the first page. */
  after?: string | undefined;
}

export const FOLDER_COLUMNS = [
  'folders.id',
  'folders.workspace_id',
  'folders.parent_id',
  'folders.name',
  'folders.date_created',
] as const;

/** @param by id of the member who creates the folders; null = the server */
export async function insertFolders(
  trx: Transaction,
  folders: readonly Folder[],
  by: string | null,
): Promise<void> {
  const rows = folders.map(({ id, workspaceId, parentId, name, dateCreated }) => ({
    id,
    workspace_id: workspaceId,
    parent_id: parentId,
    name,
    name_key: nameKey(name),
    date_created: dateCreated,
    created_by: by,
  }));
  await trx.insertInto('folders').values(rows).execute();
}

/**
 * Returns a folder of one of the member's workspaces.
 * @param id a folder's id, or `root`
 * @param workspaceId the workspace whose root is meant; undefined = the member's own
 * @throws Problem 404, 403 `role_insufficient`
 */
export type FindFolder = (
  reader: Reader,
  member: Member,
  id: string,
  workspaceId?: string,
) => Promise<Folder>;

export function prepareFindFolder(database: Database): FindFolder {
  const find = prepareReach(
    database,
    (memberships, { id }: { id: string }) => foldersOf(memberships).where('folders.id', '=', id),
    { isLookup: true },
  );
  const findRootOf = prepareReach(
    database,
    (memberships, { id }: { id: string }) => rootsOf(memberships).where('workspaces.id', '=', id),
    { isLookup: true },
  );
  const findOwnRoot = prepareReach(database, (memberships) =>
    rootsOf(memberships).where('memberships.role', '=', 'owner').orderBy('folders.id').limit(1),
  );
  return async (reader, member, id, workspaceId = member.workspaceId ?? undefined) => {
    if (id !== 'root') return folderFromRow(await find(reader, member, { id }));
    if (workspaceId === undefined) return folderFromRow(await findOwnRoot(reader, member, {}));
    return folderFromRow(await findRootOf(reader, member, { id: workspaceId }));
  };
}

const foldersOf = (memberships: MembershipQuery) =>
  memberships
    .innerJoin('folders', 'folders.workspace_id', 'memberships.workspace_id')
    .select(FOLDER_COLUMNS)
    .where('folders.deleted_at', 'is', null);

const rootsOf = (memberships: MembershipQuery) =>
  foldersOf(memberships).whereRef('folders.id', '=', 'workspaces.root_folder_id');

/** Returns the root of a workspace; null = it is deleted. */
export async function findRoot(reader: Reader, workspaceId: string): Promise<Folder | null> {
  const row = await reader
    .selectFrom('folders')
    .innerJoin('workspaces', 'workspaces.root_folder_id', 'folders.id')
    .select(FOLDER_COLUMNS)
    .where('workspaces.id', '=', workspaceId)
    .executeTakeFirst();
  return row ? folderFromRow(row) : null;
}

/** Returns a page of the folders in a folder, by name. */
export async function pageOfChildren(
  { read }: Database,
  { id }: Pick<Folder, 'id'>,
  { limit, after }: FolderPageOptions,
): Promise<Folder[]> {
  let query = read
    .selectFrom('folders')
    .select(FOLDER_COLUMNS)
    .where('parent_id', '=', id)
    .where('deleted_at', 'is', null)
    .orderBy('name_key')
    .limit(limit);
  if (after !== undefined) query = query.where('name_key', '>', nameKey(after));
  return (await query.execute()).map(folderFromRow);
}

/** Number of folders of one query, which takes about a millisecond. */
const CHILDREN_AT_ONCE = 500;

/** Returns the folders in a folder, by name. Reads them in time slices. */
export async function childrenOf(
  database: Database,
  folder: Pick<Folder, 'id'>,
  giveWay: GiveWay,
): Promise<Folder[]> {
  const all: Folder[] = [];
  for (let isLast = false; !isLast; ) {
    await giveWay();
    const options = { limit: CHILDREN_AT_ONCE, after: all.at(-1)?.name };
    const page = await pageOfChildren(database, folder, options);
    all.push(...page);
    isLast = page.length < CHILDREN_AT_ONCE;
  }
  return all;
}

export async function folderUsage(database: Database, folder: FoundRow): Promise<FolderUsage> {
  const reader = await readerForTree(database, folder);
  const usage = { usedBytes: 0, fileCount: 0, folderCount: 0 };
  for await (const folders of pagesOfFolders(reader, folder.id)) {
    usage.folderCount += folders.filter(({ id }) => id !== folder.id).length;
    for (const group of groupsOf(folders)) {
      const { count, bytes } = await filesIn(reader, group)
        .select((of) => [
          of.fn.countAll<number>().as('count'),
          of.fn.sum<number | null>('size_bytes').as('bytes'),
        ])
        .executeTakeFirstOrThrow();
      usage.fileCount += count;
      usage.usedBytes += bytes ?? 0;
    }
  }
  return usage;
}

export function folderFromRow(
  row: Pick<Selectable<FoldersTable>, 'id' | 'workspace_id' | 'parent_id' | 'name' | 'date_created'>,
): Folder {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    parentId: row.parent_id,
    name: row.name,
    dateCreated: row.date_created,
  };
}
