import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from './database.ts';

/**
 * Returns the condition of an update that a row is one of those of `query`, which selects ids, and that no other
 * transaction has locked it. PostgreSQL may run the subquery of an `in` once per row, which would exceed its limit;
 * it computes an array once.
 */
export function isUnlockedOf<Tables, Table extends keyof Tables, Row>(
  { kind }: Pick<Database, 'kind'>,
  query: SelectQueryBuilder<Tables, Table, Row>,
): RawBuilder<SqlBool> {
  return kind === 'postgres'
    ? sql<SqlBool>`id = any(array(${query.forUpdate().skipLocked()}))`
    : sql<SqlBool>`id in (${query})`;
}
