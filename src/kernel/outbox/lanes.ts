import { sql } from 'kysely';
import type { DatabaseKind, Transaction } from '../database/database.ts';
import { jsonTable } from '../database/json-table.ts';

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
 * Delivery order within a lane: its first row is unblocked, those behind it are blocked until it ends or steps
 * aside. Positions are assigned under the lane's lock, so their order is the order of the commits whatever the
 * clocks of the nodes. The literal `status = 'queued'` in each query lets SQLite use the partial index.
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

/** A table expression with one column, `name`: the distinct lanes in order. */
export function laneTable(kind: DatabaseKind, lanes: readonly string[]) {
  const names = [...new Set(lanes)].sort();
  return jsonTable(
    kind,
    'lanes',
    { name: 'text' },
    names.map((name) => ({ name })),
  );
}

export function createLanes(kind: DatabaseKind): Lanes {
  async function lock(trx: Transaction, lanes: readonly string[]): Promise<void> {
    if (kind !== 'postgres' || lanes.length === 0) return;
    // Always in the same order, so that no two transactions wait for each other.
    await sql`select pg_advisory_xact_lock(hashtextextended(name, 7)) from ${laneTable(kind, lanes)}`.execute(
      trx,
    );
  }

  /** Returns, by lane, the last position and whether a row would block a new one. */
  async function read(trx: Transaction, lanes: readonly string[]) {
    const { rows } = await sql<{ name: string; last: number | null; occupied: number }>`
      select name,
        coalesce(
          (select max(position) from outbox where lane = name and status = 'queued' and blocked = 1),
          (select max(position) from outbox where lane = name and status = 'queued' and blocked = 0)) as last,
        case when exists (
          select 1 from outbox where lane = name and status = 'queued' and attempts < ${sql.lit(STEPS_ASIDE_AFTER)}
        ) then 1 else 0 end as occupied
      from ${laneTable(kind, lanes)}`.execute(trx);
    return new Map(
      rows.map(({ name, last, occupied }) => [name, { last: last ?? 0, occupied: occupied === 1 }]),
    );
  }

  return {
    lock,
    async place(trx, lanes) {
      const named = lanes.flatMap((lane) => lane ?? []);
      await lock(trx, named);
      const states = named.length > 0 ? await read(trx, named) : new Map();
      return lanes.map((lane) => {
        const state = lane === null ? undefined : states.get(lane);
        if (!state) return { position: 0, blocked: 0 };
        const blocked = state.occupied ? 1 : 0;
        state.occupied = true;
        return { position: ++state.last, blocked };
      });
    },
    async unblockNext(trx, lanes) {
      if (lanes.length === 0) return;
      await sql`
        update outbox set blocked = 0
        where id in (
          select (
            select id from outbox where lane = name and status = 'queued' and blocked = 1
            order by position, id limit 1
          )
          from ${laneTable(kind, lanes)}
          where not exists (
            select 1 from outbox
            where lane = name and status = 'queued' and blocked = 0 and attempts < ${sql.lit(STEPS_ASIDE_AFTER)}
          )
        )`.execute(trx);
    },
  };
}
