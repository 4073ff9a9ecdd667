import { type ExpressionBuilder, sql } from 'kysely';
import { type Clock, DAY, HOUR } from '../../../kernel/clock.ts';
import type { Database, Reader, Tables, Transaction } from '../../../kernel/database/database.ts';
import { deleteOld } from '../../../kernel/database/delete-old.ts';
import { requireFewer } from '../../../kernel/database/row-limit.ts';
import { notFound } from '../../../kernel/problem.ts';
import { type Member, prepareReach } from '../../tree/member.ts';
import { createLockRows, type UploadLocks } from './lock-rows.ts';
import { addPart, hasParts, partsFrom, takeLastParts, type UploadPart } from './part-rows.ts';
import { fromRow, insertUpload, type StoredUpload } from './upload-row.ts';

/** Time from the creation of an upload to its expiry, once a client may have its address. */
export const UPLOAD_MS = DAY;
/**
 * The same for an upload of a visitor until 1/24 of its bytes has arrived, since it holds space of the link. An upload
 * at a constant rate that ends within `UPLOAD_MS` has received as many by then.
 */
export const UNSTARTED_MS = HOUR;
/** Maximum number of unfinished uploads of a member, or of a link. */
export const UNFINISHED_EACH = 1_000;

/** The rows of resumable uploads. */
export interface UploadStore extends UploadLocks {
  find(reader: Reader, id: string): Promise<StoredUpload | null>;
  /** Returns an upload that the member began. @throws Problem 404, 403 `role_insufficient` */
  findOfMember(reader: Reader, member: Member, id: string): Promise<StoredUpload>;
  /** Returns an upload of a link. @throws Problem 404 */
  findOfLink(reader: Reader, linkId: string, id: string): Promise<StoredUpload>;
  /**
   * @param writer owner of its lock, which is not free then; null = it is free
   * @throws Problem 409 `limit_reached` when its owner has too many unfinished uploads
   */
  create(trx: Transaction, upload: StoredUpload, writer: string | null): Promise<void>;
  /**
   * Records that a client receives the address of an upload, and returns the upload, which then lasts for `UPLOAD_MS`
   * or `UNSTARTED_MS`; null = no such upload.
   */
  addressed(trx: Transaction, id: string): Promise<StoredUpload | null>;
  /**
   * Records a part and advances the offset.
   * @throws LockLost unless `owner` still holds the lock, or the upload is unlocked
   */
  addPart(trx: Transaction, id: string, owner: string, part: UploadPart): Promise<void>;
  /** Reports whether an upload has at least `count` parts. */
  hasParts(reader: Reader, id: string, count: number): Promise<boolean>;
  partsFrom: typeof partsFrom;
  takeLastParts: typeof takeLastParts;
  /** Records the file created from an upload. Returns false when there is a file already, or the upload is deleted. */
  becameFile(trx: Transaction, id: string, fileId: string): Promise<boolean>;
  /** Deletes an upload and its reservation. The caller has taken its parts. */
  remove(trx: Transaction, id: string): Promise<void>;
  /** Deletes expired uploads that have become files and have no parts. */
  deleteFinished(): Promise<void>;
  /** Returns uploads that have become files and still have parts, since the process died or the database failed. */
  finishedWithParts(limit: number): Promise<StoredUpload[]>;
  /** Returns the ids of expired uploads to which no request writes. */
  expired(limit: number): Promise<string[]>;
  /**
   * Returns uploads that are complete but have no file, because the process died or there was no space at their end. If
   * there are more, it returns others each time.
   */
  unfinished(limit: number): Promise<StoredUpload[]>;
}

export function createUploadStore(deps: { database: Database; clock: Clock }): UploadStore {
  const { database } = deps;
  const { isFree, take, ...locks } = createLockRows(deps);
  return {
    ...locks,
    async find(reader, id) {
      const row = await reader.selectFrom('uploads').selectAll().where('id', '=', id).executeTakeFirst();
      return row ? fromRow(row) : null;
    },
    findOfMember: prepareFindOfMember(database),
    findOfLink,
    async create(trx, upload, writer) {
      await requireFewer(unfinishedOf(trx, upload.ownerId), UNFINISHED_EACH, 'unfinished uploads per member');
      await insertUpload(trx, upload);
      if (writer !== null) await take(trx, upload.id, writer);
    },
    addressed,
    addPart,
    hasParts,
    partsFrom,
    takeLastParts,
    becameFile,
    remove,
    async deleteFinished() {
      await deleteOld(database, 'uploads', ['id'], (where) =>
        where.and([
          where('expires_at', '<=', database.now),
          where('file_id', 'is not', null),
          where.not(where.exists(partsOf(where))),
        ]),
      );
    },
    async finishedWithParts(limit) {
      const rows = await database
        .slow('uploads')
        .selectFrom('uploads')
        .selectAll()
        .where('file_id', 'is not', null)
        .where((where) => where.exists(partsOf(where)))
        .limit(limit)
        .execute();
      return rows.map(fromRow);
    },
    async expired(limit) {
      const rows = await database.read
        .selectFrom('uploads')
        .select('id')
        .where('expires_at', '<=', database.now)
        .where(isFree())
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },
    async unfinished(limit) {
      const rows = await database.read
        .selectFrom('uploads')
        .selectAll()
        .whereRef('offset_bytes', '=', 'size_bytes')
        .where('file_id', 'is', null)
        .where('expires_at', '>', database.now)
        .where(isFree())
        // Uploads that do not fit stay unfinished, and must not hold the others back.
        .orderBy(sql`random()`)
        .limit(limit)
        .execute();
      return rows.map(fromRow);
    },
  };
}

function prepareFindOfMember(database: Database): UploadStore['findOfMember'] {
  const find = prepareReach(database, (memberships, { id }: { id: string }) =>
    memberships
      .innerJoin('uploads', 'uploads.workspace_id', 'memberships.workspace_id')
      .selectAll('uploads')
      .where('uploads.id', '=', id)
      .whereRef('uploads.account_id', '=', 'memberships.account_id'),
  );
  return async (reader, member, id) => fromRow(await find(reader, member, { id }));
}

async function findOfLink(reader: Reader, linkId: string, id: string): Promise<StoredUpload> {
  const row = await reader
    .selectFrom('uploads')
    .selectAll()
    .where('id', '=', id)
    .where('link_id', '=', linkId)
    .executeTakeFirstOrThrow(notFound);
  return fromRow(row);
}

const unfinishedOf = (trx: Transaction, ownerId: string) =>
  trx.selectFrom('uploads').select('id').where('account_id', '=', ownerId).where('file_id', 'is', null);

const lifetime = sql<number>`case
  when link_id is null or offset_bytes * ${sql.lit(UPLOAD_MS / UNSTARTED_MS)} >= size_bytes
  then ${sql.lit(UPLOAD_MS)} else ${sql.lit(UNSTARTED_MS)} end`;

async function addressed(trx: Transaction, id: string): Promise<StoredUpload | null> {
  const row = await trx
    .updateTable('uploads')
    .set({ expires_at: sql<number>`date_created + ${lifetime}` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return row ? fromRow(row) : null;
}

async function becameFile(trx: Transaction, id: string, fileId: string): Promise<boolean> {
  const row = await trx
    .updateTable('uploads')
    .set({ file_id: fileId })
    .where('id', '=', id)
    .where('file_id', 'is', null)
    // Otherwise, another request has begun to delete it.
    .whereRef('offset_bytes', '=', 'size_bytes')
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

const partsOf = (where: ExpressionBuilder<Tables, 'uploads'>) =>
  where.selectFrom('upload_parts').select('upload_id').whereRef('upload_id', '=', 'uploads.id');

async function remove(trx: Transaction, id: string): Promise<void> {
  await trx.deleteFrom('uploads').where('id', '=', id).execute();
  await trx.deleteFrom('reservations').where('id', '=', id).execute();
}
