import { sql } from 'kysely';
import { type Clock, SECOND } from '../../kernel/clock.ts';
import type { Database, Transaction } from '../../kernel/database/database.ts';
import { newToken } from '../../kernel/ids.ts';
import { notFound } from '../../kernel/problem.ts';
import { type OnConflict, resolveConflict } from './conflicts.ts';
import { fromRow, type StoredContent, type StoredFile } from './file.ts';
import type { Folder } from './folder.ts';
import { type FoundRow, lockWorkspace, lockWorkspaces, requireFile, requireFolder } from './lock.ts';
import { nameKey } from './names.ts';
import type { Quota } from './quota.ts';
import type { TrashSpace } from './trash/space.ts';
import { moveVersions } from './version-rows.ts';
import { takeVersion } from './versions.ts';

export interface NewFile {
  folder: Folder;
  originalName: string;
  content: StoredContent;
  /** Undefined = private, or as that of the file that it replaces. */
  visibility: number | undefined;
  passwordHash: string | null;
  withAccessKey: boolean;
  reservationId: string | null;
  onConflict: OnConflict;
  /** Id of the member that uploads it. */
  by: string;
}

export interface FileReplacement {
  content: StoredContent;
  /** Undefined = it keeps its own. */
  originalName?: string;
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
      visibility: file.visibility ?? 0,
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
  deps: ContentDeps,
  file: FoundRow,
  { content, originalName, reservationId, by }: FileReplacement,
): Promise<StoredFile> {
  const { database, clock, quota, isPicture } = deps;
  await lockWorkspace(database, trx, file.workspaceId);
  const current = await requireFile(trx, file);
  const name = originalName ?? current.originalName;
  const now = clock.now();
  await retireContent(trx, deps, current, { by, now });
  await quota.charge(trx, current.workspaceId, content.sizeBytes, reservationId);
  const row = await trx
    .updateTable('files')
    .set({
      original_name: name,
      name_key: nameKey(name),
      ...contentColumns(content, isPicture),
      content_date: now,
      modified_by: by,
      date_modified: Math.max(now, current.dateModified + SECOND),
    })
    .where('id', '=', file.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return fromRow(row);
}

/** Turns the bytes of a file into a version, before it gets others. */
async function retireContent(
  trx: Transaction,
  { quota, trashSpace }: ContentDeps,
  file: StoredFile,
  replacement: { by: string; now: number },
): Promise<void> {
  const { workspaceId, thumbnailKey, sizeBytes } = file;
  await quota.refund(trx, workspaceId, sizeBytes);
  await trashSpace.keepVersion(trx, file, replacement);
  if (thumbnailKey !== null) await trashSpace.discard(trx, workspaceId, [{ key: thumbnailKey, bytes: 0 }]);
}

/** Gives a file the bytes of one of its versions. @throws Problem 404, 507 */
export async function restoreVersion(
  trx: Transaction,
  deps: ContentDeps,
  file: FoundRow & StoredFile,
  { versionId, by }: { versionId: string; by: string },
): Promise<StoredFile> {
  const content = await takeVersion(trx, deps.database, file, versionId);
  const replaced = await replaceFile(trx, deps, file, { content, reservationId: null, by });
  const row = await trx
    .updateTable('files')
    .set({ content_date: content.dateCreated })
    .where('id', '=', replaced.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return fromRow(row);
}

/** Replaces the bytes of a file by those of another, which ends. Requires the lock of the workspace. */
async function absorbFile(
  trx: Transaction,
  deps: ContentDeps,
  found: FoundRow,
  { source, by }: { source: StoredFile; by: string },
): Promise<StoredFile> {
  const target = await requireFile(trx, found);
  const now = deps.clock.now();
  await retireContent(trx, deps, target, { by, now });
  await transferBytes(trx, deps, source, target.workspaceId);
  await trx
    .updateTable('file_versions')
    .set({ file_id: target.id })
    .where('file_id', '=', source.id)
    .execute();
  const { thumbnail_state, thumbnail_key, thumbnail_attempts, thumbnail_lease_until } = await trx
    .deleteFrom('files')
    .where('id', '=', source.id)
    .returning(['thumbnail_state', 'thumbnail_key', 'thumbnail_attempts', 'thumbnail_lease_until'])
    .executeTakeFirstOrThrow();
  const row = await trx
    .updateTable('files')
    .set({
      ...contentColumns(source, deps.isPicture),
      ...{ thumbnail_state, thumbnail_key, thumbnail_attempts, thumbnail_lease_until },
      content_date: source.contentDate,
      modified_by: by,
      date_modified: Math.max(now, target.dateModified + SECOND),
    })
    .where('id', '=', target.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return fromRow(row);
}

/** Counts the bytes of a file and its versions in another workspace. @throws Problem 507 */
async function transferBytes(
  trx: Transaction,
  { quota }: ContentDeps,
  { id, workspaceId, sizeBytes }: StoredFile,
  targetId: string,
): Promise<void> {
  if (targetId === workspaceId) return;
  await moveVersions(trx, [id], targetId);
  await quota.refund(trx, workspaceId, sizeBytes);
  await quota.charge(trx, targetId, sizeBytes, null);
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
  visibility?: number;
  /** Argon2id; null removes the password. */
  passwordHash?: string | null;
  /** `new` creates one, null removes it. */
  accessKey?: 'new' | null;
  expiresAt?: number | null;
  maxDownloads?: number | null;
  sharedBy?: string | null;
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
      modified_by: change.by,
      visibility: change.visibility,
      password_hash: change.passwordHash,
      access_key: change.accessKey,
      expires_at: change.expiresAt,
      max_downloads: change.maxDownloads,
      shared_by: change.sharedBy,
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

/** The folder and the name that a file gets. */
export interface NewPosition {
  folder?: Folder;
  name?: string;
  onConflict: OnConflict;
  /** Id of the member. */
  by: string;
}

/**
 * Moves a file to a folder of any workspace, and renames it. Where it replaces another, that one is returned with its bytes.
 * @throws Problem 404, 409 `name_taken`, 507
 */
export async function placeFile(
  trx: Transaction,
  deps: ContentDeps,
  file: StoredFile,
  { folder, name, onConflict, by }: NewPosition,
): Promise<StoredFile> {
  const workspaceId = folder?.workspaceId ?? file.workspaceId;
  await lockWorkspaces(deps.database, trx, [file.workspaceId, workspaceId]);
  if (folder) await requireFolder(trx, folder);
  const current = await requireFile(trx, file);
  const folderId = folder?.id ?? current.folderId;
  const naming = { folderId, name: name ?? current.originalName, fileId: file.id, onConflict };
  const resolved = await resolveConflict(trx, naming);
  if (resolved.replacesId !== null) {
    const target = { id: resolved.replacesId, workspaceId };
    return await absorbFile(trx, deps, target, { source: current, by });
  }
  await transferBytes(trx, deps, current, workspaceId);
  const row = await trx
    .updateTable('files')
    .set({
      folder_id: folderId,
      workspace_id: workspaceId,
      original_name: resolved.name,
      name_key: nameKey(resolved.name),
    })
    .where('id', '=', file.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return fromRow(row);
}
