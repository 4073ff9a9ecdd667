import { type Selectable, sql } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import type { Database, Reader, Transaction } from '../../kernel/database/database.ts';
import type { UploadsTable } from './tables.ts';

/** A resumable upload as its row says. Times are milliseconds since the epoch. */
export interface StoredUpload {
  id: string;
  accountId: string;
  workspaceId: string;
  folderId: string;
  replaceFileId: string | null;
  fileName: string;
  mediaType: string | null;
  visibility: number;
  /** The client's `Upload-Metadata` as it came; '' = none. */
  metadata: string;
  sizeBytes: number;
  /** How many bytes have come, without a gap. */
  offset: number;
  /** The file that it became. */
  fileId: string | null;
  dateCreated: number;
  expiresAt: number;
}

/** Some bytes of an upload, in a blob of their own. */
export interface UploadPart {
  start: number;
  size: number;
  blobKey: string;
}

export type UploadStore = ReturnType<typeof createUploadStore>;

/** The request that wrote has lost its lock to another: what it has is not kept. */
export class LockLost extends Error {
  override readonly name = 'LockLost';
}

/** The rows of resumable uploads. */
export function createUploadStore({ database, clock }: { database: Database; clock: Clock }) {
  return {
    async find(reader: Reader, id: string): Promise<StoredUpload | null> {
      const row = await reader.selectFrom('uploads').selectAll().where('id', '=', id).executeTakeFirst();
      return row ? fromRow(row) : null;
    },

    async create(trx: Transaction, upload: StoredUpload): Promise<void> {
      await trx
        .insertInto('uploads')
        .values({
          id: upload.id,
          account_id: upload.accountId,
          workspace_id: upload.workspaceId,
          folder_id: upload.folderId,
          replace_file_id: upload.replaceFileId,
          file_name: upload.fileName,
          media_type: upload.mediaType,
          visibility: upload.visibility,
          metadata: upload.metadata,
          size_bytes: upload.sizeBytes,
          offset_bytes: upload.offset,
          date_created: upload.dateCreated,
          expires_at: upload.expiresAt,
        })
        .execute();
    },

    /** Notes a part and how far the upload is with it. @throws LockLost unless `owner` may write still, or nobody has locked it */
    async addPart(trx: Transaction, id: string, owner: string, { start, size, blobKey }: UploadPart): Promise<void> {
      const row = await trx
        .updateTable('uploads')
        .set({ offset_bytes: start + size })
        .where('id', '=', id)
        .where('offset_bytes', '=', start)
        .where((where) => where.or([where('lock_owner', '=', owner), where('lock_owner', 'is', null)]))
        .returning('id')
        .executeTakeFirst();
      if (!row) throw new LockLost('another request writes to this upload');
      await trx.insertInto('upload_parts').values({ upload_id: id, start_byte: start, size_bytes: size, blob_key: blobKey }).execute();
    },

    /** In order. */
    async parts(reader: Reader, id: string): Promise<UploadPart[]> {
      const rows = await reader.selectFrom('upload_parts').selectAll().where('upload_id', '=', id).orderBy('start_byte').execute();
      return rows.map((row) => ({ start: row.start_byte, size: row.size_bytes, blobKey: row.blob_key }));
    },

    /** Notes the file that it became and forgets its parts. False when it had become one before. */
    async becameFile(trx: Transaction, id: string, fileId: string): Promise<boolean> {
      const row = await trx
        .updateTable('uploads')
        .set({ file_id: fileId })
        .where('id', '=', id)
        .where('file_id', 'is', null)
        .returning('id')
        .executeTakeFirst();
      if (row) await trx.deleteFrom('upload_parts').where('upload_id', '=', id).execute();
      return row !== undefined;
    },

    /** Forgets an upload, its parts and the space that it held. The parts' blobs are for the caller to delete after the commit. */
    async remove(trx: Transaction, id: string): Promise<void> {
      await trx.deleteFrom('upload_parts').where('upload_id', '=', id).execute();
      await trx.deleteFrom('uploads').where('id', '=', id).execute();
      await trx.deleteFrom('reservations').where('id', '=', id).execute();
    },

    /** Those whose time is over. */
    async expired(limit: number): Promise<string[]> {
      const rows = await database.read.selectFrom('uploads').select('id').where('expires_at', '<=', clock.now()).limit(limit).execute();
      return rows.map(({ id }) => id);
    },

    /** Those that are whole and have become no file, because the process died or the disk was full just then. */
    async unfinished(limit: number): Promise<StoredUpload[]> {
      const rows = await database.read
        .selectFrom('uploads')
        .selectAll()
        .whereRef('offset_bytes', '=', 'size_bytes')
        .where('file_id', 'is', null)
        .where('expires_at', '>', clock.now())
        .where((where) => where.or([where('lock_until', 'is', null), where('lock_until', '<=', clock.now())]))
        .limit(limit)
        .execute();
      return rows.map(fromRow);
    },

    /** Lets `owner` alone write, until the lock ends. An upload that does not exist yet has nothing to lock. */
    async lock(id: string, owner: string, until: number): Promise<'locked' | 'busy' | 'unknown'> {
      return await database.transaction(async (trx) => {
        const row = await trx
          .updateTable('uploads')
          .set({ lock_owner: owner, lock_until: until })
          .where('id', '=', id)
          .where((where) =>
            where.or([where('lock_owner', 'is', null), where('lock_owner', '=', owner), where('lock_until', '<=', clock.now())]),
          )
          .returning('id')
          .executeTakeFirst();
        if (row) return 'locked';
        return (await trx.selectFrom('uploads').select('id').where('id', '=', id).executeTakeFirst()) ? 'busy' : 'unknown';
      });
    },

    /** Makes `owner`'s lock last until then. Does nothing once it is another's or nobody's. */
    async renewLock(id: string, owner: string, until: number): Promise<void> {
      await database.transaction((trx) =>
        trx.updateTable('uploads').set({ lock_until: until }).where('id', '=', id).where('lock_owner', '=', owner).execute(),
      );
    },

    async unlock(id: string, owner: string): Promise<void> {
      await database.transaction((trx) =>
        trx
          .updateTable('uploads')
          .set({ lock_owner: null, lock_until: null })
          .where('id', '=', id)
          .where('lock_owner', '=', owner)
          .execute(),
      );
    },

    /** Ends the locks of the process that ran here before. @param node begins the owner of each of them */
    async forgetLocks(node: string): Promise<void> {
      // With the space, so that no node whose name begins like this one is meant.
      const start = `${node} `;
      await database.transaction((trx) =>
        trx
          .updateTable('uploads')
          .set({ lock_owner: null, lock_until: null })
          .where(sql<boolean>`substr(lock_owner, 1, ${start.length}) = ${start}`)
          .execute(),
      );
    },
  };
}

function fromRow(row: Selectable<UploadsTable>): StoredUpload {
  return {
    id: row.id,
    accountId: row.account_id,
    workspaceId: row.workspace_id,
    folderId: row.folder_id,
    replaceFileId: row.replace_file_id,
    fileName: row.file_name,
    mediaType: row.media_type,
    visibility: row.visibility,
    metadata: row.metadata,
    sizeBytes: row.size_bytes,
    offset: row.offset_bytes,
    fileId: row.file_id,
    dateCreated: row.date_created,
    expiresAt: row.expires_at,
  };
}
