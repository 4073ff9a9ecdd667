import { type RawBuilder, sql } from 'kysely';
import type { DatabaseKind } from './database.ts';

export type ColumnType = 'text' | 'bigint';
export type JsonRow<Columns> = {
  readonly [Name in keyof Columns]: (Columns[Name] extends 'text' ? string : number) | null;
};

/** A table expression whose rows are one JSON parameter. */
interface JsonTable<Columns> {
  /** Returns the parameter with these rows. Texts must be well-formed Unicode without NUL. */
  encode(rows: readonly JsonRow<Columns>[]): string;
  /** Returns the expression for a `from` clause. @param value a result of `encode`, or its placeholder */
  over(value: string): RawBuilder<unknown>;
}

/**
 * Returns a table expression `name` over `rows`, for use in a `from` clause. The rows are one JSON parameter, so
 * the text of the statement does not depend on their number and the statement stays prepared. Texts must be
 * well-formed Unicode without NUL.
 */
export function jsonTable<Columns extends Record<string, ColumnType>>(
  kind: DatabaseKind,
  name: string,
  columns: Columns,
  rows: readonly JsonRow<Columns>[],
): RawBuilder<unknown> {
  const { encode, over } = createJsonTable(kind, name, columns);
  return over(encode(rows));
}

/** As `jsonTable`, for a prepared query whose rows are the value of a placeholder. */
export function createJsonTable<Columns extends Record<string, ColumnType>>(
  kind: DatabaseKind,
  name: string,
  columns: Columns,
): JsonTable<Columns> {
  const names = Object.keys(columns);
  if (kind === 'postgres') {
    const types = names.map((column) => sql`${sql.ref(column)} ${sql.raw(columns[column] ?? 'text')}`);
    return {
      encode: (rows) => JSON.stringify(rows),
      over: (value) => sql`json_to_recordset(${value}::json) as ${sql.ref(name)} (${sql.join(types)})`,
    };
  }
  // Arrays: SQLite would parse the text of an object again for each column, and search it for the column's name.
  const values = names.map((column, index) => sql`value ->> ${sql.lit(index)} as ${sql.ref(column)}`);
  return {
    encode: (rows) => JSON.stringify(rows.map((row) => names.map((column) => row[column]))),
    over: (value) => sql`(select ${sql.join(values)} from json_each(${value})) as ${sql.ref(name)}`,
  };
}
