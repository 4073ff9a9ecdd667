import { type Selectable, sql } from 'kysely';
import { type Clock, SECOND } from '../../../kernel/clock.ts';
import type { Database, Reader, Transaction } from '../../../kernel/database/database.ts';
import { requireFewer } from '../../../kernel/database/row-limit.ts';
import { createLeases, type LeaseKeeper, type Leases } from '../../../kernel/leases.ts';
import { notFound } from '../../../kernel/problem.ts';
import type { UploadsTable } from '../../tables.ts';
import type { OnConflict } from '../../tree/conflicts.ts';
import { type Member, reach } from '../../tree/member.ts';

/** A resumable upload, as its row holds it. Times are milliseconds since the epoch. */
export interface StoredUpload {
  id: string;
  /** Id of the member, or of the link, that it belongs to. */
  ownerId: string;
  /** Whether a visitor sends it through a link. */
  isOfLink: boolean;
  /** Name that the visitor gave; null = none. */
  sender: string | null;
  workspaceId: string;
  folderId: string;
  replaceFileId: string | null;
  fileName: string;
  mediaType: string | null;
  /** Undefined = not given. */
  visibility: number | undefined;
  onConflict: OnConflict;
  /** Of the file's password; null = none. */
  passwordHash: string | null;
  withAccessKey: boolean;
  /** The client's `Upload-Metadata` without the password; '' = none. */
  metadata: string;
  sizeBytes: number;
  /** Number of bytes received, without a gap. */
  offset: number;
  /** Id of the file that was made of it; null = unfinished. */
  fileId: string | null;
  dateCreated: number;
  expiresAt: number;
}

/** A segment of an upload, in a blob. */
export interface UploadPart {
  start: number;
  size: number;
  blobKey: string;
}

/** Short, because a client that reconnects waits for the lock of a dead node, and no request may wait for 30 s. */
export const LOCK_MS = 15 * SECOND;

/** Maximum number of unfinished uploads of a member, or of a link. */
export const UNFINISHED_EACH = 1_000;

/** The request that writes lost its lock to another; its bytes are not kept. */
export class LockLost extends Error {
  override readonly name = 'LockLost';
}

/** The rows of resumable uploads. */
export interface UploadStore {
  find(reader: Reader, id: string): Promise<StoredUpload | null>;
  /** Returns an upload that the member began. @throws Problem 404, 403 `role_insufficient` */
  findOf(reader: Reader, member: Member, id: string): Promise<StoredUpload>;
  /** Returns an upload of a link. @throws Problem 404 */
  findOfLink(reader: Reader, linkId: string, id: string): Promise<StoredUpload>;
  /** @throws Problem 409 `limit_reached` when its owner has too many unfinished uploads */
  create(trx: Transaction, upload: StoredUpload): Promise<void>;
  /**
   * Records a part and advances the offset.
   * @throws LockLost unless `owner` still holds the lock, or the upload is unlocked
   */
  addPart(trx: Transaction, id: string, owner: string, part: UploadPart): Promise<void>;
  /** Reports whether an upload has `count` parts at least. */
  hasParts(reader: Reader, id: string, count: number): Promise<boolean>;
  /** Returns the parts of an upload in order. */
  parts(reader: Reader, id: string): Promise<UploadPart[]>;
  /** Records the file made of an upload and deletes its parts' rows. Returns false when there is a file already. */
  becameFile(trx: Transaction, id: string, fileId: string): Promise<boolean>;
  /** Deletes an upload, its parts' rows and its reservation. The caller deletes the parts' blobs after the commit. */
  remove(trx: Transaction, id: string): Promise<void>;
  /** Returns the ids of uploads that have expired. */
  expired(limit: number): Promise<string[]>;
  /** Returns uploads that are complete but have no file, because the process died or the disk was full at their end. */
  unfinished(limit: number): Promise<StoredUpload[]>;
  /**
   * Locks an upload so that only `owner` may write; `unknown` when there is no such upload. `busy` marks it as wanted.
   */
  lock(id: string, owner: string): Promise<'locked' | 'busy' | 'unknown'>;
  /** Renews the lock until the keeper is stopped, unless another owner has taken it. */
  keepLock(id: string, owner: string): LeaseKeeper;
  unlock(id: string, owner: string): Promise<void>;
  /** Reports whether another request waits for the lock that `owner` holds. */
  isWanted(id: string, owner: string): Promise<boolean>;
  /** Ends the locks of a run of the server that has ended. @param node its id, the beginning of their owners */
  forgetLocks(node: string): Promise<void>;
}

export function createUploadStore({ database, clock }: { database: Database; clock: Clock }): UploadStore {
  const locks = createLeases(
    { table: 'uploads', until: 'lock_until', owner: 'lock_owner' },
    { database, clock, lengthMs: LOCK_MS },
  );
  return {
    async find(reader, id) {
      const row = await reader.selectFrom('uploads').selectAll().where('id', '=', id).executeTakeFirst();
      return row ? fromRow(row) : null;
    },
    findOf: findOfMember,
    async findOfLink(reader, linkId, id) {
      const row = await reader
        .selectFrom('uploads')
        .selectAll()
        .where('id', '=', id)
        .where('link_id', '=', linkId)
        .executeTakeFirst();
      if (!row) throw notFound();
      return fromRow(row);
    },
    create: insertUpload,
    addPart: insertPart,
    hasParts: hasAtLeast,
    parts: readParts,
    becameFile: recordFile,
    remove: deleteUpload,
    async expired(limit) {
      const rows = await database.read
        .selectFrom('uploads')
        .select('id')
        .where('expires_at', '<=', database.now)
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },
    unfinished: (limit) => readUnfinished(database, locks, limit),
    lock: (id, owner) => database.transaction((trx) => takeLock(trx, locks, id, owner)),
    keepLock: (id, owner) => locks.keep({ ids: () => [id], owner }),
    unlock: (id, owner) => locks.release([id], owner),
    async isWanted(id, owner) {
      const row = await database.read
        .selectFrom('uploads')
        .select('id')
        .where('id', '=', id)
        .where('lock_owner', '=', owner)
        .where('lock_wanted', '=', 1)
        .executeTakeFirst();
      return row !== undefined;
    },
    forgetLocks: (node) => database.transaction((trx) => endLocks(trx, node)),
  };
}

async function findOfMember(reader: Reader, member: Member, id: string): Promise<StoredUpload> {
  const row = await reach(reader, member, (memberships) =>
    memberships
      .innerJoin('uploads', 'uploads.workspace_id', 'memberships.workspace_id')
      .selectAll('uploads')
      .where('uploads.id', '=', id)
      .whereRef('uploads.account_id', '=', 'memberships.account_id'),
  );
  return fromRow(row);
}

async function insertUpload(trx: Transaction, upload: StoredUpload): Promise<void> {
  const unfinished = trx
    .selectFrom('uploads')
    .select('id')
    .where('account_id', '=', upload.ownerId)
    .where('file_id', 'is', null);
  await requireFewer(unfinished, UNFINISHED_EACH, 'unfinished uploads of yours');
  await trx
    .insertInto('uploads')
    .values({
      id: upload.id,
      account_id: upload.ownerId,
      link_id: upload.isOfLink ? upload.ownerId : null,
      sender: upload.sender,
      workspace_id: upload.workspaceId,
      folder_id: upload.folderId,
      replace_file_id: upload.replaceFileId,
      file_name: upload.fileName,
      media_type: upload.mediaType,
      visibility: upload.visibility ?? 0,
      keeps_visibility: upload.visibility === undefined ? 1 : 0,
      on_conflict: upload.onConflict,
      password_hash: upload.passwordHash,
      with_access_key: upload.withAccessKey ? 1 : 0,
      metadata: upload.metadata,
      size_bytes: upload.sizeBytes,
      offset_bytes: upload.offset,
      date_created: upload.dateCreated,
      expires_at: upload.expiresAt,
    })
    .execute();
}

async function insertPart(
  trx: Transaction,
  id: string,
  owner: string,
  { start, size, blobKey }: UploadPart,
): Promise<void> {
  const row = await trx
    .updateTable('uploads')
    .set({ offset_bytes: start + size })
    .where('id', '=', id)
    .where('offset_bytes', '=', start)
    .where((where) => where.or([where('lock_owner', '=', owner), where('lock_owner', 'is', null)]))
    .returning('id')
    .executeTakeFirst();
  if (!row) throw new LockLost('another request writes to this upload');
  await trx
    .insertInto('upload_parts')
    .values({ upload_id: id, start_byte: start, size_bytes: size, blob_key: blobKey })
    .execute();
}

async function hasAtLeast(reader: Reader, id: string, count: number): Promise<boolean> {
  const row = await reader
    .selectFrom('upload_parts')
    .select('start_byte')
    .where('upload_id', '=', id)
    .limit(1)
    .offset(count - 1)
    .executeTakeFirst();
  return row !== undefined;
}

async function readParts(reader: Reader, id: string): Promise<UploadPart[]> {
  const rows = await reader
    .selectFrom('upload_parts')
    .selectAll()
    .where('upload_id', '=', id)
    .orderBy('start_byte')
    .execute();
  return rows.map((row) => ({ start: row.start_byte, size: row.size_bytes, blobKey: row.blob_key }));
}

async function recordFile(trx: Transaction, id: string, fileId: string): Promise<boolean> {
  const row = await trx
    .updateTable('uploads')
    .set({ file_id: fileId })
    .where('id', '=', id)
    .where('file_id', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (row) await trx.deleteFrom('upload_parts').where('upload_id', '=', id).execute();
  return row !== undefined;
}

async function deleteUpload(trx: Transaction, id: string): Promise<void> {
  await trx.deleteFrom('upload_parts').where('upload_id', '=', id).execute();
  await trx.deleteFrom('uploads').where('id', '=', id).execute();
  await trx.deleteFrom('reservations').where('id', '=', id).execute();
}

async function readUnfinished(database: Database, locks: Leases, limit: number): Promise<StoredUpload[]> {
  const rows = await database.read
    .selectFrom('uploads')
    .selectAll()
    .whereRef('offset_bytes', '=', 'size_bytes')
    .where('file_id', 'is', null)
    .where('expires_at', '>', database.now)
    .where(locks.isFree())
    .limit(limit)
    .execute();
  return rows.map(fromRow);
}

async function takeLock(
  trx: Transaction,
  locks: Leases,
  id: string,
  owner: string,
): Promise<'locked' | 'busy' | 'unknown'> {
  const row = await trx
    .updateTable('uploads')
    .set({ lock_owner: owner, lock_until: locks.end(), lock_wanted: 0 })
    .where('id', '=', id)
    .where((where) => where.or([where('lock_owner', '=', owner), locks.isFree()]))
    .returning('id')
    .executeTakeFirst();
  if (row) return 'locked';
  await trx
    .updateTable('uploads')
    .set({ lock_wanted: 1 })
    .where('id', '=', id)
    .where('lock_wanted', '=', 0)
    .execute();
  return (await trx.selectFrom('uploads').select('id').where('id', '=', id).executeTakeFirst())
    ? 'busy'
    : 'unknown';
}

async function endLocks(trx: Transaction, node: string): Promise<void> {
  // With the space, so that no other node whose name begins like this one matches.
  const start = `${node} `;
  await trx
    .updateTable('uploads')
    .set({ lock_owner: null, lock_until: null })
    .where(sql<boolean>`substr(lock_owner, 1, ${start.length}) = ${start}`)
    .execute();
}

function fromRow(row: Selectable<UploadsTable>): StoredUpload {
  return {
    id: row.id,
    ownerId: row.account_id,
    isOfLink: row.link_id !== null,
    sender: row.sender,
    workspaceId: row.workspace_id,
    folderId: row.folder_id,
    replaceFileId: row.replace_file_id,
    fileName: row.file_name,
    mediaType: row.media_type,
    visibility: row.keeps_visibility === 1 ? undefined : row.visibility,
    onConflict: row.on_conflict ?? 'keep',
    passwordHash: row.password_hash,
    withAccessKey: row.with_access_key === 1,
    metadata: row.metadata,
    sizeBytes: row.size_bytes,
    offset: row.offset_bytes,
    fileId: row.file_id,
    dateCreated: row.date_created,
    expiresAt: row.expires_at,
  };
}
