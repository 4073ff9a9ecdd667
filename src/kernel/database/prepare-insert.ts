import { type RawBuilder, sql } from 'kysely';
import type { Database, Query, Transaction } from './database.ts';
import { type ColumnType, createJsonTable, type JsonRow } from './json-table.ts';

interface Source<Columns> {
  value(column: keyof Columns): RawBuilder<unknown>;
  /** The end of the `select`: a `from` clause, or nothing. */
  from: RawBuilder<unknown>;
}

/**
 * Returns a function that inserts rows and returns the result rows of the statement. PostgreSQL reads them from one
 * JSON parameter. SQLite runs the statement for each row, which takes half as long there.
 * @param build builds the `insert … select`
 */
export function prepareInsert<Columns extends Record<string, ColumnType>, Result>(
  { kind, prepare }: Pick<Database, 'kind' | 'prepare'>,
  columns: Columns,
  build: (source: Source<Columns>) => Query<Result>,
): (trx: Transaction, rows: readonly JsonRow<Columns>[]) => Promise<Result[]> {
  if (kind === 'postgres') {
    const added = createJsonTable(kind, 'added', columns);
    const value = (column: keyof Columns) => sql.ref(`added.${String(column)}`);
    const insert = prepare(
      (_: Transaction, { rows }: { rows: string }) => build({ value, from: sql`from ${added.over(rows)}` }),
      { isLookup: true },
    );
    return (trx, rows) => insert(trx, { rows: added.encode(rows) });
  }
  const insert = prepare((_: Transaction, row: JsonRow<Columns>) =>
    build({ value: (column) => sql`${row[column]}`, from: sql`` }),
  );
  return async (trx, rows) => {
    const results: Result[] = [];
    for (const row of rows) results.push(...(await insert(trx, row)));
    return results;
  };
}
