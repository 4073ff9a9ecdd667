import { sql } from 'kysely';
import { type Clock, DAY, HOUR } from '../../kernel/clock.ts';
import type { Database, Transaction } from '../../kernel/database/database.ts';
import type { Holds } from '../../kernel/holds.ts';
import type { Blobs } from '../blobs/port.ts';
import { createOrphans } from './orphans.ts';
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
  const orphans = createOrphans(deps);
  return {
    emptyTrash: () => database.transaction((trx) => deleteOldTrash(trx, deps)),

    async sweepBlobs() {
      const now = clock.now();
      let deleted = await blobs.sweepUnfinished(now - LEFT_ALONE_MS);
      for await (const keys of batches(blobs, now - LEFT_ALONE_MS)) {
        const named = await referencedKeys(database.read, keys);
        // Checked after the rows were read: a backup that read them before has its hold by now.
        const held = await holds.isHeld(database.read, BLOBS_HELD);
        const old = await orphans.record(keys, (key) => !named.has(key), LEFT_ALONE_MS);
        if (held) continue;
        for (const key of old) await blobs.delete(key);
        await orphans.forget(old);
        deleted += old.length;
      }
      await orphans.sweep();
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
