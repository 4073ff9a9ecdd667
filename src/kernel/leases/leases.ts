import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type Clock, SECOND } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { after } from '../database/now.ts';
import { type Holding, keepLeases, type LeaseKeeper } from './lease-keeper.ts';

/**
 * Length of a lease. Rows leased by a process that dies stay blocked for this long; a process that stalls for
 * longer loses them.
 */
export const LEASE_MS = 30 * SECOND;

/** A table with leases, and its columns for them. The rows have a primary key `id`. */
export interface LeaseColumns {
  table: string;
  /** End of the lease, in ms since the epoch on the database's clock; null = never leased, or released. */
  until: string;
  /** Holder of the lease. Not needed where only the holder has the id of the row. */
  owner?: string;
}

interface LeaseDeps {
  database: Pick<Database, 'now' | 'transaction'>;
  clock: Clock;
  lengthMs?: number;
}

/**
 * Leases as columns of the leased rows. Begin and end are measured on the database's clock only, so that nodes whose
 * own clocks differ agree on them. To take a lease, insert or update the row with `until` set to `end()`, where
 * `isFree()`.
 */
export interface Leases {
  /** Returns the end of a lease that a statement takes or renews. */
  end(): RawBuilder<number>;
  /** Returns the condition that a row can be leased: its lease has ended, or it has none. */
  isFree(): RawBuilder<SqlBool>;
  /** Returns the condition that a row is leased. */
  isHeld(): RawBuilder<SqlBool>;
  /**
   * Shortens leases that would last longer than one taken now, since the clock was set back. Running holders
   * renew them before they end.
   * @param condition restricts the rows
   */
  shorten(condition?: RawBuilder<unknown>): Promise<void>;
  /** Extends the leases that `owner` still holds; returns their number. */
  renew(ids: readonly string[], owner?: string): Promise<number>;
  /** Ends the leases that `owner` still holds. Delete rows that exist only as long as their lease instead. */
  release(ids: readonly string[], owner?: string): Promise<void>;
  /** Renews leases in the background until the keeper is stopped. */
  keep(holding: Holding): LeaseKeeper;
}

export function createLeases(
  columns: LeaseColumns,
  { database, clock, lengthMs = LEASE_MS }: LeaseDeps,
): Leases {
  const table = sql.table(columns.table);
  const until = sql.ref(`${columns.table}.${columns.until}`);
  const end = () => after(database, lengthMs);
  const ownedBy = (owner: string | undefined) =>
    columns.owner === undefined ? sql`` : sql` and ${sql.ref(columns.owner)} = ${owner ?? ''}`;

  async function renew(ids: readonly string[], owner?: string): Promise<number> {
    if (ids.length === 0) return 0;
    const { numAffectedRows } = await database.transaction((trx) =>
      sql`
        update ${table} set ${sql.ref(columns.until)} = ${end()}
        where id in (${sql.join(ids)})${ownedBy(owner)}`.execute(trx),
    );
    return Number(numAffectedRows ?? 0);
  }

  return {
    end,
    isFree: () => sql<SqlBool>`(${until} is null or ${until} <= ${database.now})`,
    isHeld: () => sql<SqlBool>`${until} > ${database.now}`,
    renew,

    async shorten(condition = sql`true`) {
      await database.transaction((trx) =>
        sql`
          update ${table} set ${sql.ref(columns.until)} = ${end()}
          where ${until} > ${end()} and ${condition}`.execute(trx),
      );
    },

    async release(ids, owner) {
      if (ids.length === 0) return;
      const free = columns.owner === undefined ? sql`` : sql`, ${sql.ref(columns.owner)} = null`;
      await database.transaction((trx) =>
        sql`
          update ${table} set ${sql.ref(columns.until)} = null${free}
          where id in (${sql.join(ids)})${ownedBy(owner)}`.execute(trx),
      );
    },

    keep: (holding) => keepLeases(holding, { renew, clock, lengthMs }),
  };
}
