import { type RawBuilder, sql } from 'kysely';
import type { DatabaseKind } from './database.ts';

type ColumnType = 'text' | 'bigint';
type Row<Columns> = {
  readonly [Name in keyof Columns]: (Columns[Name] extends 'text' ? string : number) | null;
};

/**
 * Returns a table expression `name` over `rows`, for use in a `from` clause. The rows are one JSON parameter, so
 * the text of the statement does not depend on their number and the statement stays prepared. Texts must be
 * well-formed Unicode without NUL.
 */
export function jsonTable<Columns extends Record<string, ColumnType>>(
  kind: DatabaseKind,
  name: string,
  columns: Columns,
  rows: readonly Row<Columns>[],
): RawBuilder<unknown> {
  const json = JSON.stringify(rows);
  const names = Object.keys(columns);
  if (kind === 'postgres') {
    const types = names.map((column) => sql`${sql.ref(column)} ${sql.raw(columns[column] ?? 'text')}`);
    return sql`json_to_recordset(${json}::json) as ${sql.ref(name)} (${sql.join(types)})`;
  }
  const values = names.map((column) => sql`value ->> ${sql.lit(column)} as ${sql.ref(column)}`);
  return sql`(select ${sql.join(values)} from json_each(${json})) as ${sql.ref(name)}`;
}
