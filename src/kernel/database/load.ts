import { sql } from 'kysely';
import type { Database, Schema } from './database.ts';
import type { Row } from './snapshot.ts';

/** Rows of one table to insert into an empty database. */
export interface TableRows {
  table: string;
  rows: AsyncIterable<Row>;
}

/** Maximum size of an insert statement. One row may be longer. */
const BATCH_ROWS = 100;
const BATCH_LENGTH = 4_000_000;

/**
 * Fills empty tables in one transaction. Foreign keys are checked at its end, so the order of the rows does not matter.
 * Triggers of PostgreSQL do not run; those of SQLite must do nothing for an empty database.
 * @param exempt tables that may have rows, and are not filled
 * @throws NotEmpty when a table has a row
 */
export async function load(
  database: Database,
  tables: AsyncIterable<TableRows>,
  exempt: readonly string[],
): Promise<void> {
  await database.schema.transaction().execute(async (trx) => {
    await refuseRows(trx, exempt);
    const check = database.kind === 'sqlite' ? await deferOnSqlite(trx) : await dropOnPostgres(trx);
    for await (const { table, rows } of tables) {
      for await (const batch of batchesOf(rows)) {
        await (trx as unknown as InsertsAnything).insertInto(table).values(batch).execute();
      }
    }
    await check();
  });
}

/** A table of the database has rows. */
export class NotEmpty extends Error {
  override readonly name = 'NotEmpty';
  constructor(table: string) {
    super(`The database is not empty: the table ${table} has rows`);
  }
}

/** Inserts rows into tables that are known only by name. */
interface InsertsAnything {
  insertInto(table: string): { values(rows: readonly Row[]): { execute(): Promise<unknown> } };
}

/** @param exempt tables that may have rows @throws NotEmpty when another table has a row */
export async function refuseRows(schema: Schema, exempt: readonly string[]): Promise<void> {
  for (const { name } of await schema.introspection.getTables({ withInternalKyselyTables: true })) {
    if (exempt.includes(name)) continue;
    const { rows } = await sql`select 1 from ${sql.id(name)} limit 1`.execute(schema);
    if (rows.length > 0) throw new NotEmpty(name);
  }
}

/** Defers the checks to the commit (https://www.sqlite.org/pragma.html#pragma_defer_foreign_keys). */
async function deferOnSqlite(trx: Schema): Promise<() => Promise<void>> {
  await sql`pragma defer_foreign_keys = on`.execute(trx);
  return async () => {};
}

/**
 * Drops all foreign keys, since only a superuser can disable their checks, and disables all triggers; returns a
 * function that adds and enables them again.
 */
async function dropOnPostgres(trx: Schema): Promise<() => Promise<void>> {
  const { rows: keys } = await sql<{ table: string; name: string; definition: string }>`
    select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace`.execute(trx);
  for (const { table, name } of keys)
    await sql`alter table ${sql.raw(table)} drop constraint ${sql.id(name)}`.execute(trx);
  const { rows: triggers } = await sql<{ table: string; name: string }>`
    select tgrelid::regclass::text as "table", tgname as name
    from pg_trigger join pg_class on pg_class.oid = tgrelid
    where not tgisinternal and relnamespace = current_schema()::regnamespace`.execute(trx);
  for (const { table, name } of triggers)
    await sql`alter table ${sql.raw(table)} disable trigger ${sql.id(name)}`.execute(trx);
  return async () => {
    for (const { table, name, definition } of keys) {
      await sql`alter table ${sql.raw(table)} add constraint ${sql.id(name)} ${sql.raw(definition)}`.execute(
        trx,
      );
    }
    for (const { table, name } of triggers)
      await sql`alter table ${sql.raw(table)} enable trigger ${sql.id(name)}`.execute(trx);
  };
}

async function* batchesOf(rows: AsyncIterable<Row>): AsyncIterable<Row[]> {
  let batch: Row[] = [];
  let length = 0;
  for await (const row of rows) {
    batch.push(row);
    for (const value of Object.values(row))
      if (typeof value === 'string' || value instanceof Uint8Array) length += value.length;
    if (batch.length >= BATCH_ROWS || length > BATCH_LENGTH) {
      yield batch;
      batch = [];
      length = 0;
    }
  }
  if (batch.length > 0) yield batch;
}
