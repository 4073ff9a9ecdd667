import type { Reader, Transaction } from '../../../kernel/database/database.ts';

/** A segment of an upload, in a blob. */
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

export async function parts(reader: Reader, id: string): Promise<UploadPart[]> {
  const rows = await reader
    .selectFrom('upload_parts')
    .selectAll()
    .where('upload_id', '=', id)
    .orderBy('start_byte')
    .execute();
  return rows.map((row) => ({
    start: row.start_byte,
    size: row.size_bytes,
    blobKey: row.blob_key,
    crc32: row.crc32,
  }));
}
