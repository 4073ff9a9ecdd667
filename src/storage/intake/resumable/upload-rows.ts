import { type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import { DAY, HOUR } from '../../../kernel/clock.ts';
import type { Database, Reader, Tables, Transaction } from '../../../kernel/database/database.ts';
import { deleteOld } from '../../../kernel/database/delete-old.ts';
import { requireFewer } from '../../../kernel/database/row-limit.ts';
import { notFound } from '../../../kernel/problem.ts';
import { type Member, prepareReach } from '../../tree/member.ts';
import { lockedBy } from './lock-rows.ts';
import { fromRow, type StoredUpload, toRow } from './upload-row.ts';

/** Time from the creation of an upload to its expiry, once a client may have its address. */
export const UPLOAD_MS = DAY;
/**
 * The same for an upload of a visitor until 1/24 of its bytes has arrived, since it holds space of the link. An upload
 * at a constant rate that ends within `UPLOAD_MS` has received as many by then.
 */
export const UNSTARTED_MS = HOUR;
/** Maximum number of unfinished uploads of a member, or of a link. */
export const UNFINISHED_EACH = 1_000;

export async function findUpload(reader: Reader, id: string): Promise<StoredUpload | null> {
  const row = await reader.selectFrom('uploads').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? fromRow(row) : null;
}

/**
 * Prepares the query for an upload that a member began.
 * @throws Problem 404, 403 `role_insufficient` from the function that is returned
 */
export function prepareFindOfMember(
  database: Database,
): (reader: Reader, member: Member, id: string) => Promise<StoredUpload> {
  const find = prepareReach(database, (memberships, { id }: { id: string }) =>
    memberships
      .innerJoin('uploads', 'uploads.workspace_id', 'memberships.workspace_id')
      .selectAll('uploads')
      .where('uploads.id', '=', id)
      .whereRef('uploads.account_id', '=', 'memberships.account_id'),
  );
  return async (reader, member, id) => fromRow(await find(reader, member, { id }));
}

/** Returns an upload of a link. @throws Problem 404 */
export async function findOfLink(reader: Reader, linkId: string, id: string): Promise<StoredUpload> {
  const row = await reader
    .selectFrom('uploads')
    .selectAll()
    .where('id', '=', id)
    .where('link_id', '=', linkId)
    .executeTakeFirstOrThrow(notFound);
  return fromRow(row);
}

/**
 * @param writer owner of its lock, which is not free then; null = it is free
 * @throws Problem 409 `limit_reached` when its owner has too many unfinished uploads
 */
export async function createUpload(
  trx: Transaction,
  database: Database,
  upload: StoredUpload,
  writer: string | null,
): Promise<void> {
  await requireFewer(unfinishedOf(trx, upload.ownerId), UNFINISHED_EACH, 'unfinished uploads per member');
  const lock = writer === null ? {} : lockedBy(database, writer);
  await trx
    .insertInto('uploads')
    .values({ ...toRow(upload), ...lock })
    .execute();
}

const unfinishedOf = (trx: Transaction, ownerId: string) =>
  trx.selectFrom('uploads').select('id').where('account_id', '=', ownerId).where('file_id', 'is', null);

const lifetime = sql<number>`case
  when link_id is null or offset_bytes * ${sql.lit(UPLOAD_MS / UNSTARTED_MS)} >= size_bytes
  then ${sql.lit(UPLOAD_MS)} else ${sql.lit(UNSTARTED_MS)} end`;

/**
 * Records that a client receives the address of an upload, and returns the upload, which then lasts for `UPLOAD_MS` or
 * `UNSTARTED_MS`; null = no such upload.
 */
export async function addressed(trx: Transaction, id: string): Promise<StoredUpload | null> {
  const row = await trx
    .updateTable('uploads')
    .set({ expires_at: sql<number>`date_created + ${lifetime}` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return row ? fromRow(row) : null;
}

/** Records the file created from an upload. Returns false when there is a file already, or the upload is deleted. */
export async function becameFile(trx: Transaction, id: string, fileId: string): Promise<boolean> {
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

/** Deletes an upload and its reservation. The caller has taken its parts. */
export async function deleteUpload(trx: Transaction, id: string): Promise<void> {
  await trx.deleteFrom('uploads').where('id', '=', id).execute();
  await trx.deleteFrom('reservations').where('id', '=', id).execute();
}

/** Deletes expired uploads that have become files and have no parts. */
export async function deleteFinished(database: Database): Promise<void> {
  await deleteOld(database, 'uploads', ['id'], (where) =>
    where.and([
      where('expires_at', '<=', database.now),
      where('file_id', 'is not', null),
      where.not(where.exists(partsOf(where))),
    ]),
  );
}

/** Returns uploads that have become files and still have parts, since the process died or the database failed. */
export async function finishedWithParts(database: Database, limit: number): Promise<StoredUpload[]> {
  const rows = await database
    .slow('uploads')
    .selectFrom('uploads')
    .selectAll()
    .where('file_id', 'is not', null)
    .where((where) => where.exists(partsOf(where)))
    .limit(limit)
    .execute();
  return rows.map(fromRow);
}

/** Returns the ids of expired uploads to which no request writes. @param isFree the condition that the lock is free */
export async function expiredUploads(
  { read, now }: Database,
  isFree: RawBuilder<SqlBool>,
  limit: number,
): Promise<string[]> {
  const rows = await read
    .selectFrom('uploads')
    .select('id')
    .where('expires_at', '<=', now)
    .where(isFree)
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Returns uploads that are complete but have no file, because the process died or there was no space at their end. If
 * there are more, it returns others each time. @param isFree the condition that the lock is free
 */
export async function unfinishedUploads(
  { read, now }: Database,
  isFree: RawBuilder<SqlBool>,
  limit: number,
): Promise<StoredUpload[]> {
  const rows = await read
    .selectFrom('uploads')
    .selectAll()
    .whereRef('offset_bytes', '=', 'size_bytes')
    .where('file_id', 'is', null)
    .where('expires_at', '>', now)
    .where(isFree)
    // Uploads that do not fit stay unfinished, and must not hold the others back.
    .orderBy(sql`random()`)
    .limit(limit)
    .execute();
  return rows.map(fromRow);
}
