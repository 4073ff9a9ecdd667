import { Database as BunSqlite, type SQLQueryBindings } from 'bun:sqlite';
import { serveJobs } from '../../compute/child.ts';

export interface ReaderQuery {
  sql: string;
  parameters: readonly unknown[];
}

/** The result of a query. Half as long as rows that repeat the column names. */
export interface ReaderResult {
  columns: string[];
  rows: unknown[][];
}

/** Serves long queries of a SQLite database, each in a separate read transaction. */
await serveJobs(
  ([file = '']) => {
    const connection = new BunSqlite(file, { readonly: true });
    connection.run('pragma busy_timeout = 10000');
    connection.run('pragma cache_size = -32000');
    return ({ value }) => {
      const { sql, parameters } = value as ReaderQuery;
      const statement = connection.query<unknown, SQLQueryBindings[]>(sql);
      const rows = statement.values(...(parameters as SQLQueryBindings[]));
      return { value: { columns: statement.columnNames, rows } satisfies ReaderResult };
    };
  },
  { confined: false },
);
