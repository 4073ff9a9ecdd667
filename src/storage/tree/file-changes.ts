import { sql } from 'kysely';
import { type Clock, SECOND } from '../../kernel/clock.ts';
import type { Database, Transaction } from '../../kernel/database/database.ts';
import { newToken } from '../../kernel/ids.ts';
import { notFound } from '../../kernel/problem.ts';
import { fromRow, type StoredContent, type StoredFile } from './file.ts';
import type { Folder } from './folder.ts';
import { lockWorkspace, lockWorkspaces, requireFile, requireFolder } from './lock.ts';
import { nameKey } from './names.ts';
import type { Quota } from './quota.ts';
import type { TrashSpace } from './trash-space.ts';

export interface NewFile {
  folder: Folder;
  originalName: string;
  content: StoredContent;
  visibility: number;
  passwordHash: string | null;
  withAccessKey: boolean;
  reservationId: string | null;
  /** Id of the member that uploads it. */
  by: string;
}

export interface FileReplacement {
  content: StoredContent;
  originalName: string;
  reservationId: string | null;
  /** Id of the member that replaces the bytes. */
  by: string;
}

interface ContentDeps {
  database: Database;
  clock: Clock;
  quota: Quota;
  trashSpace: TrashSpace;
  /** Reports whether files of this media type get a thumbnail. */
  isPicture(mimeType: string): boolean;
}

/** @property accessKey sealed for `id`; null = none */
interface NewRow {
  id: string;
  accessKey: string | null;
}

export async function addFile(
  trx: Transaction,
  { clock, quota, isPicture }: ContentDeps,
  file: NewFile,
  { id, accessKey }: NewRow,
): Promise<StoredFile> {
  await quota.charge(trx, file.folder.workspaceId, file.content.sizeBytes, file.reservationId);
  await requireFolder(trx, file.folder);
  const now = clock.now();
  const row = await trx
    .insertInto('files')
    .values({
      id,
      workspace_id: file.folder.workspaceId,
      folder_id: file.folder.id,
      original_name: file.originalName,
      name_key: nameKey(file.originalName),
      ...contentColumns(file.content, isPicture),
      visibility: file.visibility,
      direct_token: newToken(),
      ui_token: newToken(),
      password_hash: file.passwordHash,
      access_key: accessKey,
      download_count: 0,
      created_by: file.by,
      date_created: now,
      date_modified: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return fromRow(row);
}

export async function replaceFile(
  trx: Transaction,
  { database, clock, quota, trashSpace, isPicture }: ContentDeps,
  file: StoredFile,
  { content, originalName, reservationId, by }: FileReplacement,
): Promise<StoredFile> {
  await lockWorkspace(database, trx, file.workspaceId);
  const current = await requireFile(trx, file, 'live');
  await quota.refund(trx, current.workspaceId, current.sizeBytes);
  await quota.charge(trx, current.workspaceId, content.sizeBytes, reservationId);
  await trashSpace.discard(trx, current.workspaceId, [
    { key: current.blobKey, bytes: current.sizeBytes },
    ...(current.thumbnailKey === null ? [] : [{ key: current.thumbnailKey, bytes: 0 }]),
  ]);
  const row = await trx
    .updateTable('files')
    .set({
      original_name: originalName,
      name_key: nameKey(originalName),
      ...contentColumns(content, isPicture),
      modified_by: by,
      date_modified: Math.max(clock.now(), current.dateModified + SECOND),
    })
    .where('id', '=', file.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return fromRow(row);
}

function contentColumns(
  { blobKey, sizeBytes, mimeType, sha256, crc32 }: StoredContent,
  isPicture: ContentDeps['isPicture'],
) {
  return {
    blob_key: blobKey,
    size_bytes: sizeBytes,
    mime_type: mimeType,
    sha256,
    crc32,
    thumbnail_state: isPicture(mimeType) ? ('pending' as const) : ('none' as const),
    thumbnail_key: null,
    thumbnail_attempts: 0,
    thumbnail_lease_until: null,
  };
}

/** The settings of a file that a member changes; undefined = unchanged. */
export interface FileChange {
  /** Id of the member. */
  by: string;
  originalName?: string;
  visibility?: number;
  /** Argon2id; null removes the password. */
  passwordHash?: string | null;
  /** `new` creates one, null removes it. */
  accessKey?: 'new' | null;
  expiresAt?: number | null;
  maxDownloads?: number | null;
  newTokens?: boolean;
}

/** A change whose access key is created and sealed. */
type SealedChange = Omit<FileChange, 'accessKey'> & { accessKey?: string | null };

/** @param now ms since the epoch */
export async function changeFile(
  trx: Transaction,
  file: StoredFile,
  change: SealedChange,
  now: number,
): Promise<StoredFile> {
  const row = await trx
    .updateTable('files')
    .set({
      ...(change.originalName === undefined
        ? {}
        : { original_name: change.originalName, name_key: nameKey(change.originalName) }),
      modified_by: change.by,
      visibility: change.visibility,
      password_hash: change.passwordHash,
      access_key: change.accessKey,
      expires_at: change.expiresAt,
      max_downloads: change.maxDownloads,
      // A new limit counts from now on, not the downloads before it.
      ...(typeof change.maxDownloads === 'number' && file.maxDownloads === null ? { download_count: 0 } : {}),
      ...(change.newTokens ? { direct_token: newToken(), ui_token: newToken() } : {}),
      // Never back: a replacement in the same second may have put it ahead, and other bytes must keep another
      // Last-Modified.
      date_modified: sql<number>`case when date_modified > ${now} then date_modified else ${now} end`,
    })
    .where('id', '=', file.id)
    .where('deleted_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw notFound();
  return fromRow(row);
}

export async function moveFile(
  trx: Transaction,
  { database, quota }: Pick<ContentDeps, 'database' | 'quota'>,
  file: StoredFile,
  target: Folder,
): Promise<StoredFile> {
  await lockWorkspaces(database, trx, [file.workspaceId, target.workspaceId]);
  await requireFolder(trx, target);
  const { id, workspaceId, sizeBytes } = await requireFile(trx, file, 'live');
  if (target.workspaceId !== workspaceId) {
    await quota.refund(trx, workspaceId, sizeBytes);
    await quota.charge(trx, target.workspaceId, sizeBytes, null);
  }
  const row = await trx
    .updateTable('files')
    .set({ folder_id: target.id, workspace_id: target.workspaceId })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return fromRow(row);
}
