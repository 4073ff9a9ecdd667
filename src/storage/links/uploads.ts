import { sql } from 'kysely';
import { MINUTE } from '../../kernel/clock.ts';
import type { Database, Transaction } from '../../kernel/database/database.ts';
import { notFound, Problem } from '../../kernel/problem.ts';
import { FOLDER_COLUMNS, type Folder, folderFromRow } from '../tree/folder.ts';
import type { LiveLink } from './gate.ts';
import { DEFAULT_MAX_FILES, maxBytesOf } from './upload-limits.ts';

/** Time from the first new file to the notice to the creator of the link. */
const GATHER_MS = 10 * MINUTE;

/** Where the files that visitors send through a link go, and how many more it takes. */
export interface UploadPlace {
  link: LiveLink;
  folder: Folder;
  maxFiles: number;
  maxBytes: number;
}

/** The files that visitors send through links. */
export interface LinkUploads {
  /** @throws Problem 404 when the link takes no files, 410 `upload_limit_reached` */
  place(link: LiveLink): Promise<UploadPlace>;
  /** Counts a file that a visitor sends, with its row. @throws Problem 410 `upload_limit_reached`, 404 */
  count(trx: Transaction, place: UploadPlace, bytes: number): Promise<void>;
  /** Adds the name of their sender to files, since its field may come after them. */
  nameSender(fileIds: readonly string[], name: string): Promise<void>;
}

/** @param workspaceBytes default quota of a workspace */
export function createLinkUploads(database: Database, workspaceBytes: number): LinkUploads {
  return {
    async place(link) {
      if (link.access === 'view' || link.folderId === null) throw notFound();
      const row = await database.read
        .selectFrom('folders')
        .innerJoin('workspaces', 'workspaces.id', 'folders.workspace_id')
        .select(FOLDER_COLUMNS)
        .select('workspaces.max_bytes')
        .where('folders.id', '=', link.folderId)
        .where('folders.deleted_at', 'is', null)
        .executeTakeFirst();
      if (!row) throw notFound();
      const maxFiles = link.maxFiles ?? DEFAULT_MAX_FILES;
      const maxBytes = maxBytesOf({ ...link, workspaceMaxBytes: row.max_bytes }, workspaceBytes);
      if (link.uploadCount >= maxFiles || link.uploadedBytes >= maxBytes) throw limitReached();
      return { link, folder: folderFromRow(row), maxFiles, maxBytes };
    },
    async count(trx, { link, maxFiles, maxBytes }, bytes) {
      const { numUpdatedRows } = await trx
        .updateTable('links')
        .set((set) => ({
          upload_count: set('upload_count', '+', 1),
          uploaded_bytes: set('uploaded_bytes', '+', bytes),
          notice_at: sql<number>`coalesce(notice_at, ${database.now} + ${sql.lit(GATHER_MS)})`,
        }))
        .where('id', '=', link.id)
        .where('upload_count', '<', maxFiles)
        .where(sql<boolean>`uploaded_bytes + ${bytes} <= ${maxBytes}`)
        .executeTakeFirst();
      if (numUpdatedRows > 0n) return;
      const row = await trx.selectFrom('links').select('id').where('id', '=', link.id).executeTakeFirst();
      throw row ? limitReached() : notFound();
    },
    async nameSender(fileIds, name) {
      if (fileIds.length === 0) return;
      await database.transaction((trx) =>
        trx.updateTable('files').set({ sender: name }).where('id', 'in', fileIds).execute(),
      );
    },
  };
}

function limitReached(): Problem {
  return new Problem('upload_limit_reached', 'This link takes no more files.');
}
