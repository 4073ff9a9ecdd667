import { type RawBuilder, sql } from 'kysely';
import type { Database, Reader } from './database.ts';

/** Evaluated once for each statement (https://www.sqlite.org/deterministic.html), so an index can serve it. */
export const SQLITE_NOW: RawBuilder<number> = sql`cast(round(unixepoch('subsec') * 1000) as integer)`;

/**
 * `statement_timestamp()` is stable within a statement, so an index can serve it; `clock_timestamp()` is volatile and
 * would be a filter on every row.
 */
export const POSTGRES_NOW: RawBuilder<number> = sql`floor(extract(epoch from statement_timestamp()) * 1000)::bigint`;

/** Returns the time of the database plus `ms`, for a statement. */
export function after({ now }: Pick<Database, 'now'>, ms: number): RawBuilder<number> {
  return sql<number>`${now} + ${sql.lit(ms)}`;
}

/** Returns the time of the database, in milliseconds since the Unix epoch. */
export async function readNow({ now }: Pick<Database, 'now'>, reader: Reader): Promise<number> {
  const { rows } = await sql<{ now: number }>`select ${now} as now`.execute(reader);
  const [row] = rows;
  if (!row) throw new Error('the database returned no time');
  return row.now;
}
