import { sql } from 'kysely';
import { type Clock, DAY, HOUR } from '../kernel/clock.ts';
import type { Database } from '../kernel/database/database.ts';
import type { Holds } from '../kernel/holds.ts';
import type { Blobs } from './blobs/port.ts';
import { referencedKeys } from './references.ts';

/** What is held while somebody (a backup) reads blobs that rows may no longer name. */
export const BLOBS_HELD = 'blobs';
/** How long a blob without an owner is left alone: somebody may still be reading it, or about to write its row. */
export const LEFT_ALONE_MS = HOUR;
const BATCH = 500;

interface SweeperParts {
  database: Database;
  blobs: Blobs;
  clock: Clock;
  holds: Holds;
  trashDays: number;
  /** The quota of a workspace that has none of its own. */
  workspaceBytes: number;
}

export type Sweeper = ReturnType<typeof createSweeper>;

/**
 * Cleans up behind everybody. Nothing else in the program deletes a blob that was ever named by a row, but the uploads that
 * come in parts: theirs are twice what is kept, and nobody but a backup reads them.
 */
export function createSweeper({ database, blobs, clock, holds, trashDays, workspaceBytes }: SweeperParts) {
  /** Blobs that no row named at the last rounds, with when that was first seen. */
  let ownerless = new Map<string, number>();

  return {
    /**
     * Deletes for good the files that were deleted too long ago, and the oldest of those that together are more than one
     * more quota of their workspace.
     */
    async emptyTrash(): Promise<void> {
      await database.transaction(async (trx) => {
        await trx
          .deleteFrom('files')
          .where('deleted_at', '<', clock.now() - trashDays * DAY)
          .execute();
        await trx
          .deleteFrom('files')
          .where('deleted_at', 'is not', null)
          .where('id', 'in', (from) =>
            from
              .selectFrom((trash) =>
                trash
                  .selectFrom('files')
                  .innerJoin('workspaces', 'workspaces.id', 'files.workspace_id')
                  .select([
                    'files.id',
                    sql<number>`coalesce(workspaces.max_bytes, ${workspaceBytes})`.as('limit'),
                    sql<number>`sum(files.size_bytes) over (partition by files.workspace_id order by files.deleted_at desc, files.id desc)`.as(
                      'kept',
                    ),
                  ])
                  .where('files.deleted_at', 'is not', null)
                  .as('trash'),
              )
              .select('trash.id')
              .whereRef('trash.kept', '>', 'trash.limit'),
          )
          .execute();
      });
    },

    /** Deletes the blobs that no row has named for an hour, and what dead uploads left unfinished. Gives how many. */
    async sweepBlobs(): Promise<number> {
      const now = clock.now();
      const stillOwnerless = new Map<string, number>();
      let deleted = await blobs.sweepUnfinished(now - LEFT_ALONE_MS);
      for await (const keys of batches(blobs, now - LEFT_ALONE_MS)) {
        const named = await referencedKeys(database.read, keys);
        // Asked after the rows were read: a backup that still saw them holds by now.
        const held = await holds.isHeld(database.read, BLOBS_HELD);
        for (const key of keys) {
          if (named.has(key)) continue;
          const since = ownerless.get(key) ?? now;
          if (held || now - since < LEFT_ALONE_MS) {
            stillOwnerless.set(key, since);
            continue;
          }
          await blobs.delete(key);
          deleted++;
        }
      }
      ownerless = stillOwnerless;
      return deleted;
    },
  };
}

/** The keys of the blobs that were written before `before`, some hundreds at a time. */
async function* batches(blobs: Blobs, before: number): AsyncIterable<string[]> {
  let keys: string[] = [];
  for await (const { key, dateModified } of blobs.list()) {
    if (dateModified >= before) continue;
    keys.push(key);
    if (keys.length < BATCH) continue;
    yield keys;
    keys = [];
  }
  yield keys;
}
