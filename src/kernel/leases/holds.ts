import { type Clock, MINUTE } from '../clock.ts';
import type { Database, Reader } from '../database/database.ts';
import { newId } from '../ids.ts';
import { createLeases } from './leases.ts';

/** Long, since a backup fails when its hold expires: it must survive a short outage of the database. */
const HOLD_MS = 5 * MINUTE;

/** Protects a resource (the blobs, for example) from cleanup while a backup, in any process, reads it. */
export interface Holds {
  /** Begins a hold on `resource`. It lasts until `release`, or five minutes after this process ends. */
  take(resource: string): Promise<Hold>;
  /**
   * Reports whether `resource` is held. A cleanup calls it after reading the remaining rows and before deleting: a
   * backup that still saw a deleted row took its hold earlier.
   */
  isHeld(reader: Reader, resource: string): Promise<boolean>;
  held(reader: Reader): Promise<string[]>;
  /** Deletes the holds of dead processes. */
  sweep(): Promise<void>;
}

export interface Hold {
  /** @throws Error when the hold could not be renewed in time, so that the resource may be gone */
  assertHeld(): void;
  release(): Promise<void>;
}

interface HoldsDeps {
  database: Database;
  clock: Clock;
}

export function createHolds({ database, clock }: HoldsDeps): Holds {
  const leases = createLeases(
    { table: 'holds', until: 'lease_until' },
    { database, clock, lengthMs: HOLD_MS },
  );

  async function held(reader: Reader): Promise<string[]> {
    const rows = await reader.selectFrom('holds').select('what').distinct().where(leases.isHeld()).execute();
    return rows.map(({ what }) => what);
  }

  return {
    async take(resource) {
      const id = newId();
      const since = clock.now();
      await database.transaction((trx) =>
        trx.insertInto('holds').values({ id, what: resource, lease_until: leases.end() }).execute(),
      );
      const keeper = leases.keep({ ids: () => [id], since });
      return {
        assertHeld() {
          if (keeper.isHeld()) return;
          throw new Error(`the hold on ${resource} expired, because the database could not be reached`);
        },
        async release() {
          keeper.stop();
          await database.transaction((trx) => trx.deleteFrom('holds').where('id', '=', id).execute());
        },
      };
    },

    isHeld: async (reader, resource) => (await held(reader)).includes(resource),
    held,
    async sweep() {
      await leases.shorten();
      await database.transaction((trx) => trx.deleteFrom('holds').where(leases.isFree()).execute());
    },
  };
}
