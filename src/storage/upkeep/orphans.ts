import { type Clock, DAY } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/database/database.ts';

/** Blobs without a row, with the time of their discovery, for the passes of all nodes. */
export interface Orphans {
  /**
   * Records orphans and returns those that have been orphans for `ms` or longer.
   * @param keys of one batch of blobs @param isOrphan whether no row references the blob
   */
  record(keys: readonly string[], isOrphan: (key: string) => boolean, ms: number): Promise<string[]>;
  /** Deletes the records of deleted blobs. */
  forget(keys: readonly string[]): Promise<void>;
  /** Deletes old records, whose blobs are deleted or recorded again by a later pass. */
  sweep(): Promise<void>;
}

export function createOrphans({ database, clock }: { database: Database; clock: Clock }): Orphans {
  const forget = async (keys: readonly string[]) => {
    if (keys.length === 0) return;
    await database.transaction((trx) => trx.deleteFrom('orphans').where('blob_key', 'in', keys).execute());
  };
  return {
    async record(keys, isOrphan, ms) {
      if (keys.length === 0) return [];
      const now = clock.now();
      const known = await database.read
        .selectFrom('orphans')
        .selectAll()
        .where('blob_key', 'in', keys)
        .execute();
      await forget(known.flatMap(({ blob_key: key }) => (isOrphan(key) ? [] : key)));
      const fresh = keys.filter((key) => isOrphan(key) && !known.some(({ blob_key }) => blob_key === key));
      if (fresh.length > 0)
        await database.transaction((trx) =>
          trx
            .insertInto('orphans')
            .values(fresh.map((key) => ({ blob_key: key, since: now })))
            .onConflict((conflict) => conflict.doNothing())
            .execute(),
        );
      return known.flatMap(({ blob_key: key, since }) => (isOrphan(key) && now - since >= ms ? key : []));
    },
    forget,
    async sweep() {
      const end = clock.now() - DAY;
      await database.transaction((trx) => trx.deleteFrom('orphans').where('since', '<', end).execute());
    },
  };
}
