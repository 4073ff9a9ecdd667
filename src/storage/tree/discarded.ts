import type { Database, Transaction } from '../../kernel/database/database.ts';
import { readNow } from '../../kernel/database/now.ts';

export interface DiscardedBlob {
  key: string;
  bytes: number;
}

/** The columns of `files` that name renditions. */
export const RENDITION_KEYS = ['thumbnail_key', 'preview_key'] as const;

/** Returns the renditions of a file that is deleted, or gets other bytes. They are in no sum of bytes. */
export function renditionBlobs(row: Record<(typeof RENDITION_KEYS)[number], string | null>): DiscardedBlob[] {
  return RENDITION_KEYS.flatMap((column) => {
    const key = row[column];
    return key === null ? [] : [{ key, bytes: 0 }];
  });
}

/**
 * Schedules the deletion of blobs whose rows this transaction removes. A blob that rows share (the copies of a file)
 * may be scheduled already, for any workspace; it is counted once. The collector deletes those that no row names.
 * @returns the bytes that this call has not scheduled, since an earlier one has
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
  // Later than what the collector has read, which may have found the row that is removed now.
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
