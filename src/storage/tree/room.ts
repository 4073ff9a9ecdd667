import { SECOND } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/database/database.ts';
import { Problem } from '../../kernel/problem.ts';

const MAX_WAIT_MS = 10 * SECOND;
const CHECK_MS = 250;

/**
 * Waits, before an upload begins, until the files and the trash of its workspace fit into two quotas together with
 * the bytes that are erased but still in the blob store. Otherwise an account that uploads and deletes could fill
 * the disk faster than the collector empties it.
 * @throws Problem 503 `unavailable` when a download or a backup holds more than a quota of erased bytes
 */
export type RequireRoom = (workspaceId: string, bytes: number) => Promise<void>;

interface RoomDeps {
  database: Database;
  /** Deletes all that can be deleted now. */
  collect(): Promise<void>;
  /** Default quota of a workspace. */
  workspaceBytes: number;
  maxWaitMs?: number;
}

export function createRoom({
  database,
  collect,
  workspaceBytes,
  maxWaitMs = MAX_WAIT_MS,
}: RoomDeps): RequireRoom {
  /** Returns by how many bytes an upload would exceed the space; 0 or less = it fits. */
  async function excess(workspaceId: string, bytes: number, quotas: number): Promise<number> {
    const row = await database.read
      .selectFrom('workspaces')
      .select(['used_bytes', 'trash_bytes', 'version_bytes', 'erased_bytes', 'max_bytes'])
      .where('id', '=', workspaceId)
      .executeTakeFirst();
    if (!row || row.erased_bytes <= 0) return 0;
    const stored = row.used_bytes + row.trash_bytes + row.version_bytes + row.erased_bytes + bytes;
    return stored - quotas * (row.max_bytes ?? workspaceBytes);
  }

  return async (workspaceId, bytes) => {
    const limit = performance.now() + maxWaitMs;
    while ((await excess(workspaceId, bytes, 2)) > 0) {
      if (performance.now() < limit) {
        // The bytes of this workspace may be deleted long before those of others.
        await Promise.race([collect(), Bun.sleep(CHECK_MS)]);
        await Bun.sleep(CHECK_MS);
        continue;
      }
      // A backup may take hours. With a third quota of space, an account with a full trash can continue
      // meanwhile.
      if ((await excess(workspaceId, bytes, 3)) <= 0) return;
      throw new Problem(
        'unavailable',
        'The space of deleted files has not been freed yet. Try again in a few seconds.',
        { retryAfterMs: 10 * SECOND },
      );
    }
  };
}
