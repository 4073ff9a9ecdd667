import { type Clock, MINUTE } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { throwUnlessUnwritable } from '../errors/storage-full.ts';
import { newId } from '../ids.ts';
import type { LeaseKeeper } from '../leases/lease-keeper.ts';
import { createLeases } from '../leases/leases.ts';

/**
 * Limits the concurrent uses of each key, exact for all nodes; while the database cannot be written, for each process.
 */
export interface SharedSlots {
  /**
   * Takes a slot and returns the function that frees it; null = all are taken.
   * @param count number of slots of this key
   */
  take(key: string, count: number): Promise<(() => Promise<void>) | null>;
  /** Deletes the slots of dead processes. */
  sweep(): Promise<void>;
  /** Stops renewing the slots of this process. */
  stop(): void;
}

interface SharedSlotsDeps {
  database: Database;
  clock: Clock;
  /** Distinguishes the keys from those of other limits. */
  name: string;
}

/** A slot of a process that dies becomes free after this time. */
const LEASE_MS = MINUTE;

/** A slot is a row with a lease, under a number below `count`: only one process can insert or take over a number. */
export function createSharedSlots({ database, clock, name }: SharedSlotsDeps): SharedSlots {
  const owner = newId();
  const columns = { table: 'slots', until: 'lease_until', owner: 'lease_owner' };
  const leases = createLeases(columns, { database, clock, lengthMs: LEASE_MS });
  const taken = new Map<string, object>();
  /** Slots that could not be written. */
  const unwritten = new Set<string>();
  let keeper: LeaseKeeper | null = null;

  async function takeFree(key: string, count: number): Promise<string | null> {
    // Begins with a random one, so that simultaneous calls rarely try the same one.
    const first = Math.floor(Math.random() * count);
    const ids = Array.from({ length: count }, (_, index) => `${name}:${key}:${(first + index) % count}`);
    const rows = await database.read
      .selectFrom('slots')
      .select('id')
      .where('id', 'in', ids)
      .where(leases.isHeld())
      .execute();
    const held = new Set(rows.map(({ id }) => id));
    for (const id of ids) {
      if (held.has(id) || unwritten.has(id)) continue;
      if (await takeSlot(id).catch((error) => takeUnwritten(id, error))) return id;
    }
    return null;
  }

  async function takeSlot(id: string): Promise<boolean> {
    const row = await database.transaction((trx) =>
      trx
        .insertInto('slots')
        .values({ id, lease_owner: owner, lease_until: leases.end() })
        .onConflict((conflict) =>
          conflict
            .column('id')
            .doUpdateSet({ lease_owner: owner, lease_until: leases.end() })
            .where(leases.isFree()),
        )
        .returning('id')
        .executeTakeFirst(),
    );
    return row !== undefined;
  }

  function takeUnwritten(id: string, error: unknown): boolean {
    throwUnlessUnwritable(error);
    if (unwritten.has(id)) return false;
    unwritten.add(id);
    return true;
  }

  return {
    async take(key, count) {
      const id = await takeFree(key, count);
      if (id === null) return null;
      const holding = {};
      taken.set(id, holding);
      keeper ??= leases.keep({ ids: () => [...taken.keys()], owner });
      return async () => {
        // The slot may have been lost, and taken again.
        if (taken.get(id) !== holding) return;
        taken.delete(id);
        if (unwritten.delete(id)) return;
        await database
          .transaction((trx) =>
            trx.deleteFrom('slots').where('id', '=', id).where('lease_owner', '=', owner).execute(),
          )
          .catch(throwUnlessUnwritable);
      };
    },
    async sweep() {
      // Slots of all names have leases of one length.
      await leases.shorten();
      await database.transaction((trx) => trx.deleteFrom('slots').where(leases.isFree()).execute());
    },
    stop: () => keeper?.stop(),
  };
}
