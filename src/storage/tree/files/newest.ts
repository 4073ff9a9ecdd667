import { sql } from 'kysely';
import type { Database } from '../../../kernel/database/database.ts';
import { fromRow, type StoredFile } from './file.ts';

interface NewestOptions {
  limit: number;
  /** `nextCursor` of the previous page. */
  cursor?: string;
  /** Files that others can open with a link: public ones, and those with an access key. */
  only?: 'shared';
  folderId?: string;
}

/**
 * Returns a page of the files of a workspace, the last added first. Ids are in the order of time (UUIDv7), so that a
 * page is a range of an index.
 */
export async function newestFiles(
  database: Database,
  workspaceId: string,
  { limit, cursor, only, folderId }: NewestOptions,
): Promise<{ files: StoredFile[]; nextCursor: string | null }> {
  let query = database.read
    .selectFrom('files')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(limit + 1);
  // As in the condition of the indexes `files_shared` and `files_shared_in_folder`.
  if (only === 'shared') query = query.where(sql<boolean>`(visibility = 1 or access_key is not null)`);
  if (folderId !== undefined) query = query.where('folder_id', '=', folderId);
  if (cursor !== undefined) query = query.where('id', '<', cursor);
  const files = (await query.execute()).map(fromRow);
  const page = files.slice(0, limit);
  return { files: page, nextCursor: files.length > limit ? (page.at(-1)?.id ?? null) : null };
}
