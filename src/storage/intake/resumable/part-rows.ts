import type { Selectable } from 'kysely';
import type { Reader, Transaction } from '../../../kernel/database/database.ts';
import type { UploadPartsTable } from './tables.ts';

/** A range of the bytes of an upload, in a blob. */
export interface UploadPart {
  start: number;
  size: number;
  blobKey: string;
  /** Null = unknown. */
  crc32: number | null;
}

/** Another request has taken the lock from the one that writes, whose bytes are not kept. */
export class LockLost extends Error {
  override readonly name = 'LockLost';
}

/**
 * Records a part and advances the offset.
 * @throws LockLost unless `owner` still holds the lock, or the upload is unlocked
 */
export async function addPart(
  trx: Transaction,
  id: string,
  owner: string,
  { start, size, blobKey, crc32 }: UploadPart,
): Promise<void> {
  await trx
    .updateTable('uploads')
    .set({ offset_bytes: start + size })
    .where('id', '=', id)
    .where('offset_bytes', '=', start)
    .where((where) => where.or([where('lock_owner', '=', owner), where('lock_owner', 'is', null)]))
    .returning('id')
    .executeTakeFirstOrThrow(() => new LockLost('another request writes to this upload'));
  await trx
    .insertInto('upload_parts')
    .values({ upload_id: id, start_byte: start, size_bytes: size, blob_key: blobKey, crc32 })
    .execute();
}

/** Reports whether an upload has at least `count` parts. */
export async function hasParts(reader: Reader, id: string, count: number): Promise<boolean> {
  const row = await reader
    .selectFrom('upload_parts')
    .select('start_byte')
    .where('upload_id', '=', id)
    .limit(1)
    .offset(count - 1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Maximum number of parts that one statement reads or deletes. */
export const PARTS_AT_ONCE = 500;

/** Returns the next parts of an upload from the position `start`, in order; [] = there are none. */
export async function partsFrom(reader: Reader, id: string, start: number): Promise<UploadPart[]> {
  const rows = await reader
    .selectFrom('upload_parts')
    .selectAll()
    .where('upload_id', '=', id)
    .where('start_byte', '>=', start)
    .orderBy('start_byte')
    .limit(PARTS_AT_ONCE)
    .execute();
  return rows.map(fromRow);
}

/**
 * Deletes the rows of the last parts of an upload. Lowers its offset accordingly, unless it has become a file.
 * @returns the parts, whose blobs the caller deletes after the commit; `isLast` = the upload has no others
 */
export async function takeLastParts(
  trx: Transaction,
  id: string,
): Promise<{ parts: UploadPart[]; isLast: boolean }> {
  await lockUpload(trx, id);
  const last = trx
    .selectFrom('upload_parts')
    .select('start_byte')
    .where('upload_id', '=', id)
    .orderBy('start_byte', 'desc')
    .limit(PARTS_AT_ONCE);
  const rows = await trx
    .deleteFrom('upload_parts')
    .where('upload_id', '=', id)
    .where('start_byte', 'in', last)
    .returningAll()
    .execute();
  const parts = rows.map(fromRow);
  if (parts.length > 0)
    await trx
      .updateTable('uploads')
      .set({ offset_bytes: Math.min(...parts.map(({ start }) => start)) })
      .where('id', '=', id)
      .where('file_id', 'is', null)
      .execute();
  return { parts, isLast: !(await hasParts(trx, id, 1)) };
}

/** Locks the row before those of the parts, as `addPart` does. An update without effect locks on both databases. */
async function lockUpload(trx: Transaction, id: string): Promise<void> {
  const lock = trx.updateTable('uploads').set((row) => ({ offset_bytes: row.ref('offset_bytes') }));
  await lock.where('id', '=', id).execute();
}

const fromRow = (row: Selectable<UploadPartsTable>): UploadPart => ({
  start: row.start_byte,
  size: row.size_bytes,
  blobKey: row.blob_key,
  crc32: row.crc32,
});
