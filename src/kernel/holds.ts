import { type Clock, MINUTE } from './clock.ts';
import type { Database, Reader } from './database/database.ts';
import { newId } from './ids.ts';

const LEASE_MS = 5 * MINUTE;

/** Keeps something (the blobs, say) from being cleaned away while a backup, in whatever process, reads it. */
export interface Holds {
  /** Begins a hold; it lasts until `release`, or five minutes beyond the end of this process. */
  take(what: string): Promise<Hold>;
  /**
   * Whether anybody holds `what`. Whoever cleans up asks after it has read what is still needed and before it deletes:
   * then a backup that still saw a row has taken its hold before.
   */
  isHeld(reader: Reader, what: string): Promise<boolean>;
  /** Deletes the holds of dead processes. */
  sweep(): Promise<void>;
}

export interface Hold {
  /** @throws Error when the lease could not be renewed in time, so that what was held may be gone */
  assertHeld(): void;
  release(): Promise<void>;
}

export function createHolds({ database, clock }: { database: Database; clock: Clock }): Holds {
  return {
    async take(what) {
      const id = newId();
      let leaseUntil = clock.now() + LEASE_MS;
      await database.transaction((trx) => trx.insertInto('holds').values({ id, what, lease_until: leaseUntil }).execute());
      const renewal = setInterval(() => {
        const next = clock.now() + LEASE_MS;
        database
          .transaction((trx) => trx.updateTable('holds').set({ lease_until: next }).where('id', '=', id).executeTakeFirstOrThrow())
          .then(({ numUpdatedRows }) => {
            if (numUpdatedRows === 1n) leaseUntil = next;
          })
          // The next round tries again; `assertHeld` tells when it is too late.
          .catch(() => {});
      }, LEASE_MS / 5);
      return {
        assertHeld() {
          if (clock.now() >= leaseUntil) throw new Error(`the hold on ${what} ran out, since the database could not be reached`);
        },
        async release() {
          clearInterval(renewal);
          await database.transaction((trx) => trx.deleteFrom('holds').where('id', '=', id).execute());
        },
      };
    },
    async isHeld(reader, what) {
      const held = await reader
        .selectFrom('holds')
        .select('id')
        .where('what', '=', what)
        .where('lease_until', '>', clock.now())
        .limit(1)
        .executeTakeFirst();
      return held !== undefined;
    },
    async sweep() {
      await database.transaction((trx) => trx.deleteFrom('holds').where('lease_until', '<=', clock.now()).execute());
    },
  };
}
