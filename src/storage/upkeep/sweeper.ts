import { type Clock, HOUR } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Holds } from '../../kernel/leases/holds.ts';
import type { Blobs } from '../blobs/port.ts';
import { createOrphans } from './orphans.ts';
import { referencedKeys } from './references.ts';

/** Name of the hold that readers take, such as a backup, of blobs that rows may no longer reference. */
export const BLOBS_HELD = 'blobs';
/** Time for which an orphaned blob is left alone: it may still be read, or its row about to be written. */
export const LEFT_ALONE_MS = HOUR;
const BATCH = 500;

export interface SweeperDeps {
  database: Database;
  blobs: Blobs;
  clock: Clock;
  holds: Holds;
}

/**
 * Deletes the blobs that no row has referenced for an hour, such as those of a killed process, and the remains of dead
 * uploads; returns their number. Blobs that the program itself has discarded are deleted earlier: by the collector, or
 * with their upload.
 */
export type SweepBlobs = () => Promise<number>;

export function createSweepBlobs(deps: SweeperDeps): SweepBlobs {
  const { database, blobs, clock, holds } = deps;
  const orphans = createOrphans(deps);
  return async () => {
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
  };
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
