import { sql } from 'kysely';
import type { Database } from '../../kernel/database/database.ts';
import { readerFor } from '../../kernel/database/reader-for.ts';
import { fromRow, type StoredFile } from './file.ts';
import { nameKey } from './names.ts';
import { pathTo } from './subtree.ts';

interface SearchOptions {
  /** Id of the caller, whose long reads wait for each other. */
  caller: string;
  /** Part of the name, without regard to case; a text of one or two characters begins it. */
  query: string;
  limit: number;
  /** `nextCursor` of the previous page. */
  cursor?: string;
}

/** A file, and the folders above it from the root down, without the root. */
export type FoundFile = StoredFile & { path: string[] };

/** Returns a page of the files of workspaces whose name matches, the last added first. */
export async function searchFiles(
  database: Database,
  workspaceIds: readonly string[],
  { caller, query: text, limit, cursor }: SearchOptions,
): Promise<{ files: FoundFile[]; nextCursor: string | null }> {
  if (workspaceIds.length === 0) return { files: [], nextCursor: null };
  const filesOf = (reader: Database['read']) =>
    reader.selectFrom('files').where('workspace_id', 'in', workspaceIds).where('deleted_at', 'is', null);
  const reader = await readerFor(database, caller, (few) => filesOf(few).select('id'));
  const key = nameKey(text);
  const literal = key.replace(/[%_\\]/g, '\\$&');
  const pattern = [...key].length < 3 ? `${literal}%` : `%${literal}%`;
  let query = filesOf(reader)
    .selectAll()
    .where(sql<boolean>`name_key like ${pattern} escape '\\'`)
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (cursor !== undefined) query = query.where('id', '<', cursor);
  const files = (await query.execute()).map(fromRow);
  const page = files.slice(0, limit);
  const folderIds = [...new Set(page.map(({ folderId }) => folderId))];
  const paths = new Map(
    await Promise.all(folderIds.map(async (id) => [id, await pathTo(database.read, id)] as const)),
  );
  const namesOf = (folderId: string) => (paths.get(folderId) ?? []).slice(1).map(({ name }) => name);
  return {
    files: page.map((file) => ({ ...file, path: namesOf(file.folderId) })),
    nextCursor: files.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}
