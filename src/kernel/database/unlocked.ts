import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Database, DatabaseKind } from './database.ts';

/**
 * Returns the right-hand side of a condition that a column is one of the results of `query`, which must be few.
 * PostgreSQL estimates the rows of a function such as `json_to_recordset` at 100, and joins that many with the whole
 * table; it looks up the elements of an array one by one.
 */
export function isOneOf(kind: DatabaseKind, query: RawBuilder<unknown>): RawBuilder<SqlBool> {
  return kind === 'postgres' ? sql<SqlBool>`= any(array(${query}))` : sql<SqlBool>`in (${query})`;
}

/**
 * Returns a condition for an update: `query`, which selects ids, finds the row, and no other transaction has locked it.
 * PostgreSQL may run the subquery of an `in` once per row, which would exceed the limit of the query; it computes an
 * array only once.
 */
export function isUnlockedOf<Tables, Table extends keyof Tables, Row>(
  { kind }: Pick<Database, 'kind'>,
  query: SelectQueryBuilder<Tables, Table, Row>,
): RawBuilder<SqlBool> {
  return kind === 'postgres'
    ? sql<SqlBool>`id = any(array(${query.forUpdate().skipLocked()}))`
    : sql<SqlBool>`id in (${query})`;
}
