import { type RawBuilder, sql } from 'kysely';
import type { Database, DatabaseKind, Reader } from '../../../kernel/database/database.ts';
import { readerFor } from '../../../kernel/database/reader-for.ts';
import { filesIn, groupsOf, pagesOfFolders, readerForTree } from '../folders/subtree.ts';
import type { FoundRow } from '../found-row.ts';
import { type Page, type PageOptions, pageByTaken, pageOf, TAKEN } from '../listing.ts';

/** The pictures and videos of one month. */
export interface Month {
  /** `2019-07` */
  month: string;
  count: number;
}

// As `TAKEN`, this is the expression of the index `files_timeline`.
const IS_VISUAL = sql<boolean>`substr(mime_type, 1, 6) in ('image/', 'video/')`;

const MONTH: Record<DatabaseKind, RawBuilder<string>> = {
  sqlite: sql`strftime('%Y-%m', ${TAKEN} / 1000, 'unixepoch')`,
  postgres: sql`to_char(to_timestamp(${TAKEN} / 1000) at time zone 'UTC', 'YYYY-MM')`,
};

/**
 * Counts pictures and videos by the month in which they were taken, by the clock of the camera; those that do not
 * state it, by the month of their upload in UTC. The newest month is first.
 */
export async function timelineOf(database: Database, workspaceId: string): Promise<Month[]> {
  const files = (reader: Reader) =>
    reader.selectFrom('files').where('workspace_id', '=', workspaceId).where('deleted_at', 'is', null);
  const reader = await readerFor(database, workspaceId, (few) => files(few).where(IS_VISUAL).select('id'));
  return await countByMonth(files(reader), database.kind);
}

/** As `timelineOf`, for a folder with everything in it. */
export async function timelineBelow(database: Database, folder: FoundRow): Promise<Month[]> {
  const reader = await readerForTree(database, folder);
  const counts = new Map<string, number>();
  for await (const folders of pagesOfFolders(reader, folder.id))
    for (const group of groupsOf(folders))
      for (const { month, count } of await countByMonth(filesIn(reader, group), database.kind))
        counts.set(month, (counts.get(month) ?? 0) + count);
  return [...counts].map(([month, count]) => ({ month, count })).sort((a, b) => (a.month < b.month ? 1 : -1));
}

interface MonthOptions extends Pick<PageOptions, 'limit' | 'cursor'> {
  /** `2019-07` */
  month: string;
}

const NEWEST_FIRST = { sort: 'taken', order: 'desc' } as const;

/** Returns a page of the pictures and videos of a month, most recently taken first. @throws Problem 400 as `pageOf` */
export async function monthOf(
  { read }: Pick<Database, 'read'>,
  workspaceId: string,
  { month, ...page }: MonthOptions,
): Promise<Page> {
  const files = read
    .selectFrom('files')
    .where('workspace_id', '=', workspaceId)
    .where('deleted_at', 'is', null);
  return await pageOf(visualOf(files, month), { ...page, ...NEWEST_FIRST });
}

/** As `monthOf`, for a folder with everything in it. */
export async function monthBelow(
  database: Database,
  folder: FoundRow,
  { month, ...page }: MonthOptions,
): Promise<Page> {
  const reader = await readerForTree(database, folder);
  async function* queries() {
    for await (const folders of pagesOfFolders(reader, folder.id))
      for (const group of groupsOf(folders)) yield visualOf(filesIn(reader, group), month);
  }
  return await pageByTaken(queries(), { ...page, ...NEWEST_FIRST });
}

function visualOf(files: ReturnType<typeof filesIn>, month: string) {
  const start = new Date(`${month}-01T00:00:00Z`);
  const end = new Date(start);
  end.setUTCMonth(end.getUTCMonth() + 1);
  return files
    .selectAll()
    .where(IS_VISUAL)
    .where(TAKEN, '>=', start.getTime())
    .where(TAKEN, '<', end.getTime());
}

async function countByMonth(files: ReturnType<typeof filesIn>, kind: DatabaseKind): Promise<Month[]> {
  return await files
    .where(IS_VISUAL)
    .select([MONTH[kind].as('month'), sql<number>`count(*)`.as('count')])
    .groupBy(MONTH[kind])
    .orderBy('month', 'desc')
    .execute();
}
