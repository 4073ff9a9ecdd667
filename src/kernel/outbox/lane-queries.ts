import { sql } from 'kysely';
import type { Database, DatabaseKind, Transaction } from '../database/database.ts';
import { createJsonTable } from '../database/json-table.ts';
import { isOneOf } from '../database/unlocked.ts';

/** A row with this many failed attempts no longer blocks those behind it. */
export const STEPS_ASIDE_AFTER = 5;

/** A table of lanes, each once and in order, as a parameter of queries. */
export function createLaneTable(kind: DatabaseKind) {
  const { over, encode } = createJsonTable(kind, 'lanes', { name: 'text' });
  return {
    over,
    encode: (lanes: readonly string[]) => encode([...new Set(lanes)].sort().map((name) => ({ name }))),
  };
}

/** The database as `Lanes` uses it. */
export type LanesDeps = Pick<Database, 'kind' | 'prepare'>;

type LaneValues = { lanes: string };

/**
 * Prepares the queries of `Lanes`. A condition with “limit 1” is looked up by index in each lane; PostgreSQL would read
 * all queued rows for “exists”.
 */
export function prepareLaneQueries(
  { kind, prepare }: LanesDeps,
  { over }: ReturnType<typeof createLaneTable>,
) {
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
