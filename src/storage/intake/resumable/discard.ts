import { batchesOf } from '../../../kernel/batches-of.ts';
import type { Database } from '../../../kernel/database/database.ts';
import type { Holds } from '../../../kernel/leases/holds.ts';
import type { Blobs } from '../../blobs/port.ts';
import type { TrashSpace } from '../../tree/trash/space.ts';
import { BLOBS_HELD } from '../../upkeep/sweeper.ts';
import type { UploadPart } from './part-rows.ts';

export interface DiscardDeps {
  database: Database;
  blobs: Blobs;
  holds: Holds;
  trashSpace: Pick<TrashSpace, 'discard'>;
}

const DELETED_AT_ONCE = 16;
const SCHEDULED_AT_ONCE = 500;

/**
 * Deletes unreferenced blobs. When a backup, which may have read their rows, holds the blobs, the
 * collector deletes them later, and their bytes count as erased until then.
 */
export async function discard(
  workspaceId: string,
  parts: readonly UploadPart[],
  { database, blobs, holds, trashSpace }: DiscardDeps,
): Promise<void> {
  if (await holds.isHeld(database.read, BLOBS_HELD)) {
    const discarded = parts.map(({ blobKey, size }) => ({ key: blobKey, bytes: size }));
    await database.transaction(async (trx) => {
      for (const batch of batchesOf(discarded, SCHEDULED_AT_ONCE))
        await trashSpace.discard(trx, workspaceId, batch);
    });
    return;
  }
  // A client can send many small parts.
  for (const batch of batchesOf(parts, DELETED_AT_ONCE))
    await Promise.all(batch.map(({ blobKey }) => blobs.delete(blobKey)));
}
