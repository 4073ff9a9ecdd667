import { type RawBuilder, sql } from 'kysely';
import type { DatabaseKind } from './database.ts';

type Column = 'text' | 'bigint';
type Row<Columns> = { readonly [Name in keyof Columns]: (Columns[Name] extends 'text' ? string : number) | null };

/**
 * `rows` as a table `name` for use after `from`: one parameter and one text of the statement, however many rows there are,
 * where a list of values would be another statement for every length. Texts must be well-formed Unicode without NUL.
 */
export function listed<Columns extends Record<string, Column>>(
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
