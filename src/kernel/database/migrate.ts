import { PostgresAdapter, type RawBuilder, sql } from 'kysely';
import { MINUTE, SECOND } from '../clock.ts';
import type { Database, Schema } from './database.ts';

/**
 * A step of the schema, the same on both databases. A released migration is never changed, only followed by
 * another.
 */
export interface Migration {
  /** Sorts after all earlier ones: `0001_outbox`, `0002_accounts`, … */
  name: string;
  /**
   * `expand` = programs without this step also run on its result: it adds tables, indexes, and columns that are
   * nullable or have a default. `contract` = they do not, so they must have been replaced on every node before.
   */
  kind: 'expand' | 'contract';
  /** The kind of database that it concerns; undefined = both. */
  only?: 'postgres';
  /** Statements that run one after the other, or a function that runs some. */
  up: readonly string[] | ((schema: Schema) => Promise<void>);
}

/** The migrations of a database compared with those of this version. */
export interface Steps {
  /** Migrations that are not applied yet, in order. */
  missing: Migration[];
  /** Names of migrations that a newer version applied, and on whose result this version cannot run. */
  tooNew: string[];
}

interface MigrateOptions {
  /**
   * Called each time another transaction keeps a table in use for too long; the migrations are then tried again, for up
   * to half an hour.
   */
  locked?(): void;
  /**
   * True = reject migrations of kind `contract`, since servers of an earlier version may be using the
   * database.
   */
  expandOnly?: boolean;
}

const TABLE = 'migrations';

/**
 * Maximum wait for a table of PostgreSQL. Statements of other nodes queue behind a waiting one, even if they could run
 * concurrently with the transaction that it waits for, such as a backup.
 */
const LOCK_TIMEOUT_MS = SECOND;
const PAUSE_MS = SECOND;
const MAX_MS = 30 * MINUTE;

/**
 * Applies the missing migrations, all or none, under a lock, so that several nodes may start at the same time.
 * Migrations of newer versions may have been applied, if all of them are of kind `expand`.
 * @throws when a migration fails or is not permitted, or when the database has one that this version cannot run on
 */
export async function migrate(
  database: Pick<Database, 'kind' | 'schema'>,
  migrations: readonly Migration[],
  { locked = () => {}, expandOnly = false }: MigrateOptions = {},
): Promise<void> {
  if (new Set(migrations.map(({ name }) => name)).size !== migrations.length)
    throw new Error('two migrations have the same name');
  const work = (trx: Schema) => applyMissing(trx, migrations, expandOnly);
  if (database.kind === 'sqlite') return await withFiles(database.schema, work);
  const { isLockTimeout } = await import('./postgres/errors.ts');
  const limit = performance.now() + MAX_MS;
  for (;;) {
    try {
      return await database.schema.transaction().execute(async (trx) => {
        await sql`select pg_advisory_xact_lock(hashtextextended(${TABLE}, 0))`.execute(trx);
        await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(trx);
        await work(trx);
      });
    } catch (error) {
      if (!isLockTimeout(error) || performance.now() > limit) throw error;
      locked();
    }
    await Bun.sleep(PAUSE_MS);
  }
}

/**
 * Migrates SQLite with its temporary data (sorts and statement journals) in files: in memory (see `sqlite.ts`), they
 * would take hundreds of bytes for each row. A transaction holds the write lock from its beginning, so no other lock is
 * needed.
 */
async function withFiles(schema: Schema, work: (trx: Schema) => Promise<void>): Promise<void> {
  await sql`pragma temp_store = file`.execute(schema);
  try {
    await schema.transaction().execute(work);
  } finally {
    await sql`pragma temp_store = memory`.execute(schema);
  }
}

async function applyMissing(
  trx: Schema,
  migrations: readonly Migration[],
  expandOnly: boolean,
): Promise<void> {
  await prepareTable(trx);
  const applied = await select(trx, sql<string | null>`kind`);
  const { missing, tooNew } = stepsOf(applied, migrations);
  if (tooNew.length > 0)
    throw new Error(
      `This database was created by a newer version of Posthouse (it has ${tooNew.join(', ')}). Run ` +
        'that version or a later one.',
    );
  const contracts = missing.filter(({ kind }) => kind === 'contract').map(({ name }) => name);
  if (expandOnly && applied.size > 0 && contracts.length > 0)
    throw new Error(
      `Servers of an earlier version cannot use this database after its update (${contracts.join(', ')}). Stop ` +
        'them, and start the server of this version first.',
    );
  for (const migration of missing) await apply(trx, migration);
}

/**
 * Compares the migrations of a database with `migrations`.
 * @throws when one is missing that sorts before an applied one
 */
export async function readSteps(schema: Schema, migrations: readonly Migration[]): Promise<Steps> {
  const columns = await columnsOf(schema);
  if (columns === null) return stepsOf(new Map(), migrations);
  const kind = columns.includes('kind') ? sql<string | null>`kind` : sql<null>`null`;
  return stepsOf(await select(schema, kind), migrations);
}

/** Returns the names of the migrations that a database has, in order. */
export async function readApplied(schema: Schema): Promise<string[]> {
  if ((await columnsOf(schema)) === null) return [];
  return [...(await select(schema, sql<null>`null`)).keys()];
}

function stepsOf(applied: Applied, migrations: readonly Migration[]): Steps {
  const missing = migrations
    .filter(({ name }) => !applied.has(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const own = migrations.map(({ name }) => name);
  const [first] = missing;
  const later = first && own.find((name) => applied.has(name) && name > first.name);
  if (later) throw new Error(`the migration ${first.name} is missing, but ${later} was applied`);
  const tooNew = [...applied].filter(([name, kind]) => !own.includes(name) && kind !== 'expand');
  return { missing, tooNew: tooNew.map(([name]) => name) };
}

/** Runs statements of a migration one after the other. */
export async function runStatements(schema: Schema, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(schema);
}

export const isPostgres = (schema: Schema) => schema.getExecutor().adapter instanceof PostgresAdapter;

async function apply(trx: Schema, { name, kind, only, up }: Migration): Promise<void> {
  if (!only || isPostgres(trx)) await (typeof up === 'function' ? up(trx) : runStatements(trx, up));
  const timestamp = new Date().toISOString();
  await sql`insert into ${sql.table(TABLE)} (name, timestamp, kind) values (${name}, ${timestamp}, ${kind})`.execute(
    trx,
  );
}

/** Creates the table of the applied migrations. Earlier versions had one without kinds, and another for the lock. */
async function prepareTable(trx: Schema): Promise<void> {
  const columns = await columnsOf(trx);
  if (columns === null)
    await sql`
      create table ${sql.table(TABLE)} (
        name varchar(255) not null primary key, timestamp varchar(255) not null, kind text)`.execute(trx);
  else if (!columns.includes('kind')) {
    await sql`alter table ${sql.table(TABLE)} add column kind text`.execute(trx);
    await sql`drop table if exists migrations_lock`.execute(trx);
  }
}

/** The kinds of the applied migrations by name, in order; null = a version without kinds applied it. */
type Applied = ReadonlyMap<string, string | null>;

async function select(schema: Schema, kind: RawBuilder<string | null>): Promise<Applied> {
  const { rows } = await sql<{ name: string; kind: string | null }>`
    select name, ${kind} as kind from ${sql.table(TABLE)} order by name`.execute(schema);
  return new Map(rows.map((row) => [row.name, row.kind]));
}

/** Returns the columns of the table of the applied migrations; null = there is no such table. */
async function columnsOf(schema: Schema): Promise<string[] | null> {
  // Introspection would read the columns of all tables.
  const { rows } = await (isPostgres(schema)
    ? sql<{ name: string }>`
        select attname as name from pg_attribute
        where attrelid = to_regclass(${TABLE}) and attnum > 0 and not attisdropped`
    : sql<{ name: string }>`select name from pragma_table_info(${TABLE})`
  ).execute(schema);
  return rows.length === 0 ? null : rows.map(({ name }) => name);
}
