import type { Database, Transaction } from '../../kernel/database/database.ts';
import { readNow } from '../../kernel/database/now.ts';

export interface DiscardedBlob {
  key: string;
  bytes: number;
}

/** The columns of `files` with the blob keys of renditions. */
export const RENDITION_KEYS = ['thumbnail_key', 'preview_key'] as const;

/**
 * Returns the renditions of a file that is deleted, or gets other bytes. Their size is 0, since no sum of bytes
 * includes renditions.
 */
export function renditionBlobs(row: Record<(typeof RENDITION_KEYS)[number], string | null>): DiscardedBlob[] {
  return RENDITION_KEYS.flatMap((column) => {
    const key = row[column];
    return key === null ? [] : [{ key, bytes: 0 }];
  });
}

/**
 * Schedules the deletion of blobs whose rows this transaction removes. A blob that rows share (the copies of a file)
 * may be scheduled already, for any workspace; it is counted once. The collector deletes those that no row references.
 * @returns the number of bytes that an earlier call has scheduled already
 */
export async function scheduleDeletion(
  trx: Transaction,
  database: Database,
  workspaceId: string,
  blobs: readonly DiscardedBlob[],
): Promise<number> {
  const now = await readNow(database, trx);
  const inserted = await trx
    .insertInto('blob_deletions')
    .values(
      blobs.map(({ key, bytes }) => ({
        blob_key: key,
        workspace_id: workspaceId,
        size_bytes: bytes,
        date_created: now,
      })),
    )
    .onConflict((conflict) => conflict.column('blob_key').doNothing())
    .returning(['blob_key', 'size_bytes'])
    .execute();
  if (inserted.length === blobs.length) return 0;
  // Set to a later time than the collector has read, since it may have found the row that is being removed.
  await trx
    .updateTable('blob_deletions')
    .set({ date_created: now })
    .where(
      'blob_key',
      'in',
      blobs.map(({ key }) => key),
    )
    .execute();
  const all = blobs.reduce((sum, { bytes }) => sum + bytes, 0);
  return all - inserted.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
}
