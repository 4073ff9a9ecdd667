import { Database as BunSqlite } from 'bun:sqlite';
import { type Kysely, sql } from 'kysely';

/** A row of any table: text, numbers, bytes or null by column. */
export type Row = Record<string, unknown>;

/** The database as of one moment. */
export interface Snapshot {
  /** Names of all tables, including those of the migrator. */
  readonly tables: readonly string[];
  rows(table: string): AsyncIterable<Row>;
}

/** Reads over a new connection while others write (https://www.sqlite.org/isolation.html). */
export async function sqliteSnapshot<Result>(
  file: string,
  work: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  const connection = new BunSqlite(file, { readonly: true });
  try {
    connection.run('pragma busy_timeout = 10000');
    connection.run('begin');
    // The snapshot is taken by the first read.
    const tables = connection.query<{ name: string }, []>(
      `select name from sqlite_master where type = 'table' and name not like 'sqlite!_%' escape '!' order by name`,
    );
    return await work({
      tables: tables.all().map(({ name }) => name),
      async *rows(table) {
        const statement = connection.prepare<Row, []>(`select * from ${quoted(table)}`);
        try {
          for (const row of statement.iterate()) yield row;
        } finally {
          statement.finalize();
        }
      },
    });
  } finally {
    connection.close();
  }
}

/** Number of rows per fetch of a table without bytes. */
const FETCH_ROWS = 20;

/** https://www.postgresql.org/docs/current/transaction-iso.html#XACT-REPEATABLE-READ */
export async function postgresSnapshot<Result>(
  kysely: Kysely<unknown>,
  work: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  return await kysely
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const tables = await sql<{ name: string; hasBytes: boolean }>`
        select tablename as name, exists (
          select from information_schema.columns
          where table_schema = schemaname and table_name = tablename and data_type = 'bytea') as "hasBytes"
        from pg_tables
        where schemaname = current_schema() order by tablename collate "C"`.execute(trx);
      const withBytes = new Set(tables.rows.flatMap(({ name, hasBytes }) => (hasBytes ? [name] : [])));
      return await work({
        tables: tables.rows.map(({ name }) => name),
        async *rows(table) {
          // A row with bytes can have many megabytes.
          const fetched = withBytes.has(table) ? 1 : FETCH_ROWS;
          await sql`declare snapshot_rows no scroll cursor for select * from ${sql.id(table)}`.execute(trx);
          for (;;) {
            const { rows } = await sql<Row>`fetch ${sql.lit(fetched)} from snapshot_rows`.execute(trx);
            yield* rows;
            if (rows.length < fetched) break;
          }
          await sql`close snapshot_rows`.execute(trx);
        },
      });
    });
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
