import { sql } from 'kysely';
import type { Database, DatabaseKind, Transaction } from '../database/database.ts';
import { createJsonTable } from '../database/json-table.ts';
import { isOneOf } from '../database/unlocked.ts';

/** A row with this many failed attempts no longer blocks those behind it. */
export const STEPS_ASIDE_AFTER = 5;

/** Place of a row in the order of its lane. */
export interface Place {
  /** Greater than that of all queued rows of the lane; 0 = the row has no lane. */
  position: number;
  /** 1 while an earlier row of the lane blocks this one. */
  blocked: 0 | 1;
}

/**
 * Delivery order within a lane: its first row is unblocked, those behind it are blocked until it ends or
 * steps aside. Positions are assigned under the lane's lock, so their order is the order of the commits
 * independently of the clocks of the nodes. The literal `status = 'queued'` in each query lets SQLite use the
 * partial index.
 */
export interface Lanes {
  /** Locks these lanes for the rest of the transaction. On SQLite one transaction runs at a time anyway. */
  lock(trx: Transaction, lanes: readonly string[]): Promise<void>;
  /** Locks the lanes and returns the places of new rows in them, in the same order; null = no lane. */
  place(trx: Transaction, lanes: readonly (string | null)[]): Promise<Place[]>;
  /** Unblocks the first blocked row of each lane, unless an unblocked row that has not stepped aside precedes it. */
  unblockNext(trx: Transaction, lanes: readonly string[]): Promise<void>;
}

/** The lanes of some rows, without the rows that have none. */
export function lanesOf(rows: readonly { lane: string | null }[]): string[] {
  return rows.flatMap(({ lane }) => lane ?? []);
}

/** A table of lanes, each once and in order, as a parameter of queries. */
export function createLaneTable(kind: DatabaseKind) {
  const { over, encode } = createJsonTable(kind, 'lanes', { name: 'text' });
  return {
    over,
    encode: (lanes: readonly string[]) => encode([...new Set(lanes)].sort().map((name) => ({ name }))),
  };
}

type LaneValues = { lanes: string };

/* A condition with “limit 1” is looked up by index in each lane; PostgreSQL would read all queued rows for “exists”. */
function prepareQueries({ kind, prepare }: LanesDeps, { over }: ReturnType<typeof createLaneTable>) {
  return {
    // Always in the same order, so that no two transactions wait for each other.
    lock: prepare(
      (_: Transaction, { lanes }: LaneValues) =>
        sql`select pg_advisory_xact_lock(hashtextextended(name, 7)) from ${over(lanes)}`,
      { isLookup: true },
    ),
    /** Returns, by lane, the last position and whether a row would block a new one. */
    states: prepare(
      (_: Transaction, { lanes }: LaneValues) => sql<{ name: string; last: number | null; occupied: number }>`
        select name,
          coalesce(
            (select max(position) from outbox where lane = name and status = 'queued' and blocked = 1),
            (select max(position) from outbox where lane = name and status = 'queued' and blocked = 0)) as last,
          coalesce(
            (select 1 from outbox
              where lane = name and status = 'queued' and attempts < ${sql.lit(STEPS_ASIDE_AFTER)}
              order by blocked, position limit 1), 0) as occupied
        from ${over(lanes)}`,
    ),
    unblock: prepare(
      (_: Transaction, { lanes }: LaneValues) => sql`
        update outbox set blocked = 0
        where id ${isOneOf(
          kind,
          sql`
          select (
            select id from outbox where lane = name and status = 'queued' and blocked = 1
            order by position, id limit 1
          )
          from ${over(lanes)}
          where (
            select 1 from outbox
            where lane = name and status = 'queued' and blocked = 0 and attempts < ${sql.lit(STEPS_ASIDE_AFTER)}
            order by position limit 1
          ) is null`,
        )}`,
    ),
  };
}

type LanesDeps = Pick<Database, 'kind' | 'prepare'>;

export function createLanes(database: LanesDeps): Lanes {
  const { kind } = database;
  const table = createLaneTable(kind);
  const queries = prepareQueries(database, table);

  async function lock(trx: Transaction, lanes: readonly string[]): Promise<void> {
    if (kind === 'postgres' && lanes.length > 0) await queries.lock(trx, { lanes: table.encode(lanes) });
  }

  return {
    lock,
    async place(trx, lanes) {
      const named = lanes.flatMap((lane) => lane ?? []);
      if (named.length === 0) return lanes.map(() => ({ position: 0, blocked: 0 }));
      await lock(trx, named);
      const rows = await queries.states(trx, { lanes: table.encode(named) });
      const states = new Map(
        rows.map(({ name, last, occupied }) => [name, { last: last ?? 0, occupied: occupied === 1 }]),
      );
      return lanes.map((lane) => {
        const state = lane === null ? undefined : states.get(lane);
        if (!state) return { position: 0, blocked: 0 };
        const blocked = state.occupied ? 1 : 0;
        state.occupied = true;
        return { position: ++state.last, blocked };
      });
    },
    async unblockNext(trx, lanes) {
      if (lanes.length > 0) await queries.unblock(trx, { lanes: table.encode(lanes) });
    },
  };
}
