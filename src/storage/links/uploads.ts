import { sql } from 'kysely';
import { MINUTE } from '../../kernel/clock.ts';
import type { Database, Transaction } from '../../kernel/database/database.ts';
import { notFound, Problem } from '../../kernel/problem.ts';
import type { StoredContent, StoredFile } from '../tree/files/file.ts';
import type { Files } from '../tree/files/files.ts';
import { FOLDER_COLUMNS, type Folder, folderFromRow } from '../tree/folders/folder.ts';
import { linkFromRow, type StoredLink } from './link.ts';
import { DEFAULT_MAX_FILES, isLinkFull, maxBytesOf } from './upload-limits.ts';

/** Time from the first new file to the notice to the creator of the link. */
export const GATHER_MS = 10 * MINUTE;

/** The folder for the files that visitors send through a link, and the limits of the link. */
export interface UploadPlace {
  link: StoredLink;
  folder: Folder;
  maxFiles: number;
  maxBytes: number;
}

interface SentFile {
  originalName: string;
  /** Name given by the visitor; null = none. */
  sender: string | null;
  content: StoredContent;
  reservationId: string | null;
}

/** The files that visitors send through links. */
export interface LinkUploads {
  /** @throws Problem 404 when the link accepts no files, 410 `upload_limit_reached` */
  place(link: StoredLink): Promise<UploadPlace>;
  /** As `place`, for the id of a link. */
  placeOf(linkId: string): Promise<UploadPlace>;
  /**
   * Checks, with the workspace locked, that the link accepts one more file in addition to those under way.
   * @throws Problem 410 `upload_limit_reached`
   */
  requireWithinLimits(trx: Transaction, place: UploadPlace, bytes: number): Promise<void>;
  /** Adds a file under a free name, and counts it. @throws Problem 410 `upload_limit_reached`, 404, 507 */
  add(trx: Transaction, place: UploadPlace, file: SentFile): Promise<StoredFile>;
  /** Sets the sender of files that were received before the form field with the name. */
  nameSender(fileIds: readonly string[], name: string): Promise<void>;
}

interface LinkUploadsDeps {
  database: Database;
  files: Files;
  /** Default quota of a workspace. */
  workspaceBytes: number;
}

export function createLinkUploads({ database, files, workspaceBytes }: LinkUploadsDeps): LinkUploads {
  async function place(link: StoredLink): Promise<UploadPlace> {
    if (link.access === 'view' || link.folderId === null) throw notFound();
    const row = await database.read
      .selectFrom('folders')
      .innerJoin('workspaces', 'workspaces.id', 'folders.workspace_id')
      .select(FOLDER_COLUMNS)
      .select('workspaces.max_bytes')
      .where('folders.id', '=', link.folderId)
      .where('folders.deleted_at', 'is', null)
      .executeTakeFirstOrThrow(notFound);
    const maxFiles = link.maxFiles ?? DEFAULT_MAX_FILES;
    const maxBytes = maxBytesOf({ ...link, workspaceMaxBytes: row.max_bytes }, workspaceBytes);
    if (isLinkFull({ ...link, maxBytes })) throw limitReached();
    return { link, folder: folderFromRow(row), maxFiles, maxBytes };
  }

  /** @param except an upload that does not count; null = all count */
  async function requireWithin(
    trx: Transaction,
    { link, maxFiles, maxBytes }: UploadPlace,
    more: Usage,
    except: string | null,
  ): Promise<void> {
    const counted = await countedBy(database, trx, link);
    const held = await heldBy(database, trx, link.id, except);
    if (counted.files + held.files + more.files > maxFiles) throw limitReached();
    if (counted.bytes + held.bytes + more.bytes > maxBytes) throw limitReached();
  }

  return {
    place,
    async placeOf(linkId) {
      const row = await database.read
        .selectFrom('links')
        .selectAll()
        .where('id', '=', linkId)
        .executeTakeFirstOrThrow(notFound);
      return await place(linkFromRow(row));
    },
    requireWithinLimits: (trx, to, bytes) => requireWithin(trx, to, { files: 1, bytes }, null),
    async add(trx, to, { originalName, sender, content, reservationId }) {
      // First, since it takes the lock of the workspace.
      const file = await files.add(trx, {
        folder: to.folder,
        originalName,
        content,
        visibility: 0,
        passwordHash: null,
        withAccessKey: false,
        reservationId,
        by: null,
        sender,
        onConflict: 'rename',
      });
      await trx
        .updateTable('links')
        .set((set) => ({
          upload_count: set('upload_count', '+', 1),
          uploaded_bytes: set('uploaded_bytes', '+', content.sizeBytes),
          // Counted from the first file, which the notice also lists.
          notice_at: sql<number>`coalesce(notice_at, ${file.dateCreated + GATHER_MS})`,
        }))
        .where('id', '=', to.link.id)
        .execute();
      await requireWithin(trx, to, { files: 0, bytes: 0 }, reservationId);
      return file;
    },
    async nameSender(fileIds, name) {
      if (fileIds.length === 0) return;
      await database.transaction((trx) =>
        trx.updateTable('files').set({ sender: name }).where('id', 'in', fileIds).execute(),
      );
    },
  };
}

interface Usage {
  files: number;
  bytes: number;
}

/**
 * Returns the number and size of the files received through a link. @throws Problem 404 when it no longer accepts files
 */
async function countedBy({ now }: Database, trx: Transaction, link: StoredLink): Promise<Usage> {
  const row = await trx
    .selectFrom('links')
    .select(['upload_count as files', 'uploaded_bytes as bytes', 'password_hash'])
    .where('id', '=', link.id)
    // An upload may last long, and the link may have changed or expired since it began.
    .where('token', '=', link.token)
    .where('access', '!=', 'view')
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .executeTakeFirst();
  if (!row || row.password_hash !== link.passwordHash) throw notFound();
  return row;
}

/**
 * Returns the number and size of the unfinished resumable uploads through a link. @param except one that does not count
 */
async function heldBy(
  database: Database,
  trx: Transaction,
  linkId: string,
  except: string | null,
): Promise<Usage> {
  const { files, bytes } = await trx
    .selectFrom('uploads')
    .select((of) => [
      of.fn.countAll<number>().as('files'),
      of.fn.sum<number | null>('size_bytes').as('bytes'),
    ])
    .where('account_id', '=', linkId)
    .where('file_id', 'is', null)
    .where('expires_at', '>', database.now)
    .where('id', '!=', except ?? '')
    .executeTakeFirstOrThrow();
  return { files, bytes: bytes ?? 0 };
}

/** 410 `upload_limit_reached`. */
export function limitReached(): Problem {
  return new Problem('upload_limit_reached', 'This link accepts no more files.');
}
