import { sql } from 'kysely';
import { type Clock, DAY, HOUR } from '../../kernel/clock.ts';
import type { Database, Transaction } from '../../kernel/database/database.ts';
import type { Holds } from '../../kernel/holds.ts';
import type { Blobs } from '../blobs/port.ts';
import { referencedKeys } from './references.ts';

/** Name of the hold of a reader, such as a backup, of blobs that rows may no longer name. */
export const BLOBS_HELD = 'blobs';
/** Time for which an orphaned blob is left alone: it may still be read, or its row about to be written. */
export const LEFT_ALONE_MS = HOUR;
const BATCH = 500;

interface SweeperDeps {
  database: Database;
  blobs: Blobs;
  clock: Clock;
  holds: Holds;
  trashDays: number;
  /** Default quota of a workspace. */
  workspaceBytes: number;
}

/**
 * Deletes what nobody needs any more. Nothing else in the program deletes a blob that a row has named, except the
 * parts of resumable uploads, which double the used space and which only a backup reads.
 */
export interface Sweeper {
  /**
   * Deletes the files that have been in the trash too long, and the oldest of a trash larger than the workspace's
   * quota.
   */
  emptyTrash(): Promise<void>;
  /** Deletes the blobs that no row has named for an hour, and the remains of dead uploads; returns their number. */
  sweepBlobs(): Promise<number>;
}

export function createSweeper(deps: SweeperDeps): Sweeper {
  const { database, blobs, clock, holds } = deps;
  /** Orphaned blobs of the last round, with the time of their discovery. */
  let orphans = new Map<string, number>();
  return {
    emptyTrash: () => database.transaction((trx) => deleteOldTrash(trx, deps)),

    async sweepBlobs() {
      const now = clock.now();
      const stillOrphans = new Map<string, number>();
      let deleted = await blobs.sweepUnfinished(now - LEFT_ALONE_MS);
      for await (const keys of batches(blobs, now - LEFT_ALONE_MS)) {
        const named = await referencedKeys(database.read, keys);
        // Checked after the rows were read: a backup that read them before has its hold by now.
        const held = await holds.isHeld(database.read, BLOBS_HELD);
        for (const key of keys) {
          if (named.has(key)) continue;
          const since = orphans.get(key) ?? now;
          if (held || now - since < LEFT_ALONE_MS) {
            stillOrphans.set(key, since);
            continue;
          }
          await blobs.delete(key);
          deleted++;
        }
      }
      orphans = stillOrphans;
      return deleted;
    },
  };
}

async function deleteOldTrash(
  trx: Transaction,
  { clock, trashDays, workspaceBytes }: SweeperDeps,
): Promise<void> {
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
              sql<number>`sum(files.size_bytes) over (
                partition by files.workspace_id order by files.deleted_at desc, files.id desc)`.as('kept'),
            ])
            .where('files.deleted_at', 'is not', null)
            .as('trash'),
        )
        .select('trash.id')
        .whereRef('trash.kept', '>', 'trash.limit'),
    )
    .execute();
}

/** Returns the keys of the blobs older than `before`, in batches. */
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
