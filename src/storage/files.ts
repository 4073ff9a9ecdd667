import { sql } from 'kysely';
import { type Clock, DAY, SECOND } from '../kernel/clock.ts';
import type { Vault } from '../kernel/crypto/vault.ts';
import type { Database, Reader, Transaction } from '../kernel/database/database.ts';
import { notFound } from '../kernel/http/problem.ts';
import { newId, newToken } from '../kernel/ids.ts';
import { type Content, fromRow, type StoredFile } from './file.ts';
import type { Folder } from './folders.ts';
import { lockWorkspace, requireFolder } from './lock.ts';
import { nameKey } from './names.ts';
import type { Quota } from './quota.ts';

export const ACCESS_KEY_PURPOSE = 'file access key';

/** What the owner may change of a file; undefined = left as it is. */
export interface FileChange {
  originalName?: string;
  visibility?: number;
  /** Argon2id; null takes it away. */
  passwordHash?: string | null;
  /** `new` makes one. */
  accessKey?: 'new' | null;
  expiresAt?: number | null;
  maxDownloads?: number | null;
  newTokens?: boolean;
}

export interface NewFile {
  folder: Folder;
  originalName: string;
  content: Content;
  visibility: number;
  passwordHash: string | null;
  withAccessKey: boolean;
  reservationId: string | null;
}

interface FilesParts {
  database: Database;
  clock: Clock;
  vault: Vault;
  quota: Quota;
  trashDays: number;
  /** Of pictures a thumbnail is made. */
  isPicture(mimeType: string): boolean;
}

export type Files = ReturnType<typeof createFiles>;

/** The rows of files. A row is written only after its blob is durable. */
export function createFiles({ database, clock, vault, quota, trashDays, isPicture }: FilesParts) {
  const newAccessKey = () => vault.seal(ACCESS_KEY_PURPOSE, newToken(18));
  const thumbnail = (mimeType: string) => ({
    thumbnail_state: isPicture(mimeType) ? ('pending' as const) : ('none' as const),
    thumbnail_key: null,
    thumbnail_attempts: 0,
    thumbnail_lease_until: null,
  });

  async function find(reader: Reader, accountId: string, id: string, deleted: boolean): Promise<StoredFile> {
    const row = await reader
      .selectFrom('files')
      .innerJoin('memberships', 'memberships.workspace_id', 'files.workspace_id')
      .selectAll('files')
      .where('files.id', '=', id)
      .where('memberships.account_id', '=', accountId)
      .where('deleted_at', deleted ? 'is not' : 'is', null)
      .executeTakeFirst();
    if (!row) throw notFound();
    return fromRow(row);
  }

  /** The file as it is now that its workspace is locked. @throws Problem 404 when it was deleted, or restored, meanwhile */
  async function reread(trx: Transaction, { id, workspaceId }: StoredFile, deleted: boolean): Promise<StoredFile> {
    await lockWorkspace(database, trx, workspaceId);
    const row = await trx
      .selectFrom('files')
      .selectAll()
      .where('id', '=', id)
      .where('deleted_at', deleted ? 'is not' : 'is', null)
      .executeTakeFirst();
    if (!row) throw notFound();
    return fromRow(row);
  }

  return {
    /** A file of one of the account's workspaces. @throws Problem 404, the same for another's and for a deleted one */
    find: (reader: Reader, accountId: string, id: string) => find(reader, accountId, id, false),

    /** The plain access key, for the owner. */
    accessKeyOf: (file: StoredFile): string | null => file.accessKey && vault.open(ACCESS_KEY_PURPOSE, file.accessKey),

    /** @throws Problem 507 when it does not fit */
    async add(trx: Transaction, file: NewFile): Promise<StoredFile> {
      await quota.charge(trx, file.folder.workspaceId, file.content.sizeBytes, file.reservationId);
      await requireFolder(trx, file.folder.id);
      const now = clock.now();
      const row = await trx
        .insertInto('files')
        .values({
          id: newId(),
          workspace_id: file.folder.workspaceId,
          folder_id: file.folder.id,
          original_name: file.originalName,
          name_key: nameKey(file.originalName),
          ...contentColumns(file.content),
          visibility: file.visibility,
          direct_token: newToken(),
          ui_token: newToken(),
          password_hash: file.passwordHash,
          access_key: file.withAccessKey ? newAccessKey() : null,
          download_count: 0,
          ...thumbnail(file.content.mimeType),
          date_created: now,
          date_modified: now,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return fromRow(row);
    },

    /** Gives a file other bytes; id, tokens, password and key stay. @throws Problem 507 */
    async replace(
      trx: Transaction,
      file: StoredFile,
      { content, originalName, reservationId }: { content: Content; originalName: string; reservationId: string | null },
    ): Promise<StoredFile> {
      const current = await reread(trx, file, false);
      await quota.refund(trx, current.workspaceId, current.sizeBytes);
      await quota.charge(trx, current.workspaceId, content.sizeBytes, reservationId);
      const row = await trx
        .updateTable('files')
        .set({
          original_name: originalName,
          name_key: nameKey(originalName),
          ...contentColumns(content),
          ...thumbnail(content.mimeType),
          // Last-Modified has whole seconds, and other bytes must have another.
          date_modified: Math.max(clock.now(), current.dateModified + SECOND),
        })
        .where('id', '=', file.id)
        .returningAll()
        .executeTakeFirstOrThrow();
      return fromRow(row);
    },

    async change(trx: Transaction, file: StoredFile, change: FileChange): Promise<StoredFile> {
      const row = await trx
        .updateTable('files')
        .set({
          ...(change.originalName === undefined ? {} : { original_name: change.originalName, name_key: nameKey(change.originalName) }),
          visibility: change.visibility,
          password_hash: change.passwordHash,
          ...(change.accessKey === undefined ? {} : { access_key: change.accessKey === 'new' ? newAccessKey() : null }),
          expires_at: change.expiresAt,
          max_downloads: change.maxDownloads,
          // A limit counts from when it is set, not what was downloaded while there was none.
          ...(typeof change.maxDownloads === 'number' && file.maxDownloads === null ? { download_count: 0 } : {}),
          ...(change.newTokens ? { direct_token: newToken(), ui_token: newToken() } : {}),
          // Never back: a replacement in the same second may have put it ahead, and other bytes must keep another Last-Modified.
          date_modified: sql<number>`case when date_modified > ${clock.now()} then date_modified else ${clock.now()} end`,
        })
        .where('id', '=', file.id)
        .where('deleted_at', 'is', null)
        .returningAll()
        .executeTakeFirst();
      if (!row) throw notFound();
      return fromRow(row);
    },

    /** Into another folder of its workspace. @throws Problem 404 */
    async move(trx: Transaction, file: StoredFile, target: Folder): Promise<StoredFile> {
      if (target.workspaceId !== file.workspaceId) throw notFound();
      await lockWorkspace(database, trx, file.workspaceId);
      await requireFolder(trx, target.id);
      const row = await trx
        .updateTable('files')
        .set({ folder_id: target.id })
        .where('id', '=', file.id)
        .where('deleted_at', 'is', null)
        .returningAll()
        .executeTakeFirst();
      if (!row) throw notFound();
      return fromRow(row);
    },

    /** Gone for everyone at once; its owner may restore it for a while. */
    async remove(trx: Transaction, file: StoredFile): Promise<void> {
      await lockWorkspace(database, trx, file.workspaceId);
      const row = await trx
        .updateTable('files')
        .set({ deleted_at: clock.now() })
        .where('id', '=', file.id)
        .where('deleted_at', 'is', null)
        .returning('size_bytes')
        .executeTakeFirst();
      if (!row) throw notFound();
      await quota.refund(trx, file.workspaceId, row.size_bytes);
    },

    /**
     * Undoes a delete. A file whose folder is gone comes back in the root.
     * @throws Problem 404 when there is nothing to restore, 507 when it no longer fits
     */
    async restore(trx: Transaction, accountId: string, id: string): Promise<StoredFile> {
      const file = await reread(trx, await find(trx, accountId, id, true), true);
      if ((file.deletedAt ?? 0) < clock.now() - trashDays * DAY) throw notFound();
      await quota.charge(trx, file.workspaceId, file.sizeBytes, null);
      const folder = await trx.selectFrom('folders').select('id').where('id', '=', file.folderId).executeTakeFirst();
      const root = await trx.selectFrom('workspaces').select('root_folder_id').where('id', '=', file.workspaceId).executeTakeFirstOrThrow();
      const row = await trx
        .updateTable('files')
        .set({ deleted_at: null, folder_id: folder?.id ?? root.root_folder_id })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow();
      return fromRow(row);
    },

    /** What of a workspace can be restored, the last deleted first. */
    async trash(workspaceId: string, limit: number): Promise<StoredFile[]> {
      const rows = await database.read
        .selectFrom('files')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('deleted_at', '>=', clock.now() - trashDays * DAY)
        .orderBy('deleted_at', 'desc')
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(fromRow);
    },
  };
}

function contentColumns({ blobKey, sizeBytes, mimeType, sha256, crc32 }: Content) {
  return { blob_key: blobKey, size_bytes: sizeBytes, mime_type: mimeType, sha256, crc32 };
}
