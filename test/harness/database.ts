import { join } from 'node:path';
import { sql } from 'kysely';
import { migrations } from '../../src/foundation/schema.ts';
import { type Clock, MINUTE } from '../../src/kernel/clock.ts';
import type { Database } from '../../src/kernel/database/database.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import { LONG_LIMITS } from '../../src/kernel/database/postgres/limits.ts';
import { openPostgres } from '../../src/kernel/database/postgres/postgres.ts';
import { openSqlite } from '../../src/kernel/database/sqlite/sqlite.ts';
import { createLog } from '../../src/kernel/log.ts';
import { copyMigratedSqlite, freshDirectory, freshPostgres } from './backends.ts';
import { afterFile } from './cleanup.ts';
import { MIGRATED } from './peers.ts';

export const DATABASES = ['sqlite', 'postgres'] as const;

/** Creates an empty database of `kind`; `openAt` opens it, any number of times. */
export async function freshLocation(kind: (typeof DATABASES)[number]): Promise<string> {
  return kind === 'sqlite' ? join(freshDirectory(), 'test.sqlite') : await freshPostgres();
}

/** Opens the database at `location`; it is closed after the tests of the file. */
export function openAt(location: string): Database {
  const database = location.startsWith('postgres')
    ? // A busy machine may take longer than a request waits.
      openPostgres(location, { limits: { ...LONG_LIMITS, connectMs: MINUTE } })
    : openSqlite(location, createLog('silent'));
  afterFile(database.close);
  return database;
}

/** Creates a database of `kind` with all tables, empty. */
export async function freshDatabase(kind: (typeof DATABASES)[number]): Promise<Database> {
  if (kind === 'postgres') return openAt(await freshPostgres(MIGRATED));
  const file = await freshLocation(kind);
  const isMigrated = copyMigratedSqlite(file);
  const database = openAt(file);
  if (!isMigrated) await migrate(database, migrations);
  return database;
}

/** Empties all tables at once, without regard to foreign keys. */
const EMPTY = `
  do $$
  declare name text;
  begin
    set local session_replication_role = replica;
    for name in select tablename from pg_tables where schemaname = 'public' and tablename <> 'migrations' loop
      execute format('delete from %I', name);
    end loop;
  end $$`;

let shared: Promise<Database> | undefined;

/**
 * Returns an empty database with all tables, for `beforeEach`. Creating one takes PostgreSQL 0.1 s of CPU time, so the
 * tests of a file share one, which is emptied: none may use it after its end.
 */
export async function emptyDatabase(kind: (typeof DATABASES)[number]): Promise<Database> {
  if (kind === 'sqlite') return await freshDatabase(kind);
  if (shared) {
    await sql.raw(EMPTY).execute((await shared).schema);
    return await shared;
  }
  afterFile(() => {
    shared = undefined;
  });
  shared = freshDatabase(kind);
  return await shared;
}

/** Returns `database` with `clock` as the database's clock, so that a test can set it. */
export function withClock(database: Database, clock: Clock): Database {
  return {
    ...database,
    // Not prepared: every statement contains the time.
    prepare: (build) => async (db, values) =>
      (await db.getExecutor().executeQuery(build(db, values).compile(db))).rows,
    get now() {
      return sql<number>`cast(${clock.now()} as bigint)`;
    },
  };
}

/** Reports whether a transaction on PostgreSQL waits for a lock. */
export async function isLockAwaited({ read }: Database): Promise<boolean> {
  const { rows } = await sql`
    select 1 from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()`.execute(read);
  return rows.length > 0;
}
