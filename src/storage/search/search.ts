import { type SelectQueryBuilder, sql } from 'kysely';
import { DAY } from '../../kernel/clock.ts';
import type { Database, Reader, Tables } from '../../kernel/database/database.ts';
import { createJsonTable } from '../../kernel/database/json-table.ts';
import { createTimeSlices, type GiveWay } from '../../kernel/event-loop/time-slices.ts';
import { firstIdAt } from '../../kernel/ids.ts';
import { nameKey } from '../../text/name-key.ts';
import { fromRow, type StoredFile } from '../tree/files/file.ts';
import { foldersAbove, foldersInside, namesIn } from '../tree/folders/above.ts';
import { MAX_DEPTH } from '../tree/folders/bounds.ts';
import { beginWalk, type Needs, nextStep, type Step } from './candidates.ts';
import { type FileType, fileType } from './file-type.ts';
import { ANY_NAME, namePattern, partsOfQuery, typePart, workspacePart } from './parts.ts';
import { withinLength } from './within-length.ts';

export interface SearchOptions {
  /** Part of the name, ignoring case; a text of one or two characters begins it (see `isBeginning`). */
  query: string;
  /** Only files in this folder and those below it. */
  folderId?: string;
  type?: FileType;
  /** Only files added at this time or later, ms since the epoch. */
  after?: number | undefined;
  /** Only files added before this time, ms since the epoch. */
  before?: number | undefined;
  limit: number;
  /** `nextCursor` of the previous page. */
  cursor?: string;
}

export interface SearchPage {
  files: FoundFile[];
  /** Null = the last page. */
  nextCursor: string | null;
}

/** A file, and the folders above it from the root down, without the root; of more than `MAX_DEPTH`, the last ones. */
export type FoundFile = StoredFile & { path: string[] };

/**
 * Maximum number of steps of one search; a walk over a million files takes fewer, unless most candidates do not match.
 */
const STEPS = 24;
/** Greater than all ids. */
const END = 'z';
/** With more workspaces, their parts are not looked up. */
const WORKSPACES = 50;

interface SearchPace {
  /** Shared by all searches of a process. */
  giveWay?: GiveWay;
  steps?: number;
}

/**
 * Returns a page of the files of workspaces that match, the last added first. Its cost is bounded, so a page can have
 * fewer files than `limit`, or none, although there is another page.
 */
export async function searchFiles(
  database: Database,
  workspaceIds: readonly string[],
  options: SearchOptions,
  { giveWay = createTimeSlices(), steps = STEPS }: SearchPace = {},
): Promise<SearchPage> {
  if (workspaceIds.length === 0) return { files: [], nextCursor: null };
  const { limit } = options;
  const { begin, end } = boundsOf(options);
  const matching = createMatching(database, workspaceIds, { ...options, giveWay });
  const needs = needsOf(workspaceIds, options);
  const found: string[] = [];
  let at = await beginWalk(database.read, needs, begin);
  for (let step = 0; at.before > end && found.length <= limit && step < steps; step++) {
    const { candidates, next } = await nextStep(database, needs, at);
    found.push(...(await matching(candidates)));
    at = next;
    await giveWay();
  }
  const all = await withPaths(database.read, await readFiles(database.read, found.slice(0, limit)), giveWay);
  const files = withinLength(all);
  if (files.length < all.length) return { files, nextCursor: files.at(-1)?.id ?? null };
  if (found.length > limit) return { files, nextCursor: found[limit - 1] ?? null };
  return { files, nextCursor: at.before > end ? at.before : null };
}

/** Returns the ids between which the search walks, from the greatest (exclusive) down to the least. */
function boundsOf({ after, before, cursor }: SearchOptions): { begin: string; end: string } {
  // The time in an id is that of the upload, apart from differences between clocks.
  const end = after === undefined ? '' : firstIdAt(after - DAY);
  const latest = before === undefined ? END : firstIdAt(before + DAY);
  return { begin: cursor !== undefined && cursor < latest ? cursor : latest, end };
}

function needsOf(workspaceIds: readonly string[], { query, type }: SearchOptions): Needs {
  return [
    ...partsOfQuery(query).map((part) => [part, ANY_NAME]),
    ...(type ? [[typePart(type)]] : []),
    ...(workspaceIds.length > WORKSPACES ? [] : [workspaceIds.map(workspacePart)]),
  ];
}

/** Returns a function that returns the ids of the candidates that match, in descending order. */
function createMatching(
  { kind, read }: Database,
  workspaceIds: readonly string[],
  { query, type, folderId, after, before, giveWay }: SearchOptions & { giveWay: GiveWay },
): (candidates: Step['candidates']) => Promise<string[]> {
  const ids = createJsonTable(kind, 'candidates', { id: 'text' });
  const isInside = new Map<string, boolean>();
  return async (candidates) => {
    if (Array.isArray(candidates) && candidates.length === 0) return [];
    let rows = read
      .selectFrom('files')
      .select(['id', 'folder_id', 'mime_type'])
      .where('workspace_id', 'in', workspaceIds)
      .where('deleted_at', 'is', null)
      .orderBy('id', 'desc');
    rows = whereMatching(rows, { query, after, before });
    rows = Array.isArray(candidates)
      ? rows.where(
          sql<boolean>`id in (select id from ${ids.over(ids.encode(candidates.map((id) => ({ id }))))})`,
        )
      : rows.where('id', '>=', candidates.from).where('id', '<', candidates.before);
    let files = await rows.execute();
    if (type) files = files.filter(({ mime_type }) => fileType(mime_type) === type);
    if (folderId !== undefined) {
      const folderIds = files.map(({ folder_id }) => folder_id);
      const unknown = [...new Set(folderIds)].filter((id) => !isInside.has(id));
      const inside = await foldersInside(read, { rootId: folderId, giveWay }, unknown);
      for (const id of unknown) isInside.set(id, inside.has(id));
      files = files.filter(({ folder_id }) => isInside.get(folder_id));
    }
    return files.map(({ id }) => id);
  };
}

/** Adds the conditions on the name and on the time of the upload. */
export function whereMatching<Row>(
  files: SelectQueryBuilder<Tables, 'files', Row>,
  { query, after, before }: Pick<SearchOptions, 'query' | 'after' | 'before'>,
): SelectQueryBuilder<Tables, 'files', Row> {
  let rows = files;
  if (nameKey(query) !== '') {
    const pattern = namePattern(query);
    rows = rows.where(sql<boolean>`name_key like ${pattern} escape '\\'`);
  }
  if (after !== undefined) rows = rows.where('date_created', '>=', after);
  if (before !== undefined) rows = rows.where('date_created', '<', before);
  return rows;
}

async function readFiles(reader: Reader, ids: readonly string[]): Promise<StoredFile[]> {
  if (ids.length === 0) return [];
  const rows = await reader
    .selectFrom('files')
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('id', 'desc')
    .execute();
  return rows.map(fromRow);
}

/** Returns files with the folders above them. */
export async function withPaths(
  reader: Reader,
  files: readonly StoredFile[],
  giveWay: GiveWay,
): Promise<FoundFile[]> {
  const folderIds = files.map(({ folderId }) => folderId);
  const above = await foldersAbove(reader, folderIds, { giveWay });
  return files.map((file) => ({
    ...file,
    path: namesIn(above, { id: file.folderId, workspaceId: file.workspaceId }, MAX_DEPTH),
  }));
}
