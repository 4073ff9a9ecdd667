import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { migrations } from '../../src/foundation/schema.ts';
import type { Database } from '../../src/kernel/database/database.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import { openPostgres } from '../../src/kernel/database/postgres/postgres.ts';
import { openSqlite } from '../../src/kernel/database/sqlite/sqlite.ts';
import { createLog } from '../../src/kernel/log.ts';
import { embeddedPostgres } from './embedded-postgres.ts';
import { until } from './until.ts';

/** The servers that tests run against: one PostgreSQL and one S3 server for a whole test run. */
export interface Peers {
  /** URL of the `postgres` database, of a user that may create others. */
  postgresUrl: string;
  s3Endpoint: string;
  stop(): Promise<void>;
}

/** Database with all tables, empty. A copy takes a fraction of the time of the migrations. */
export const MIGRATED = 'migrated';
export const S3_KEYS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

/** @param durable commits of PostgreSQL wait for the disk, for measurements */
export async function startPeers({ durable = false } = {}): Promise<Peers> {
  const directory = mkdtempSync(join(durable ? tmpdir() : fastDirectory(), 'posthouse-peers-'));
  // As root, PostgreSQL runs as another user, who needs access to this directory.
  chmodSync(directory, 0o755);
  const [postgres, s3] = await bothOrNone(
    startPostgres(
      join(directory, 'postgres'),
      durable ? SHARED_SETTINGS : [...SHARED_SETTINGS, ...FAST_SETTINGS],
    ),
    startS3(join(directory, 's3')),
  );
  return {
    postgresUrl: postgres.url,
    s3Endpoint: s3.endpoint,
    async stop() {
      await Promise.all([postgres.stop(), s3.stop()]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The many files of short-lived databases cost half the CPU time in memory. */
const SHARED_MEMORY = '/dev/shm';
/** Twice what a whole test run needs. */
const ENOUGH_BYTES = 8e9;

/** Returns a directory in memory, or on the disk when there is little memory for files. */
function fastDirectory(): string {
  try {
    const { bavail, bsize } = statfsSync(SHARED_MEMORY);
    return bavail * bsize >= ENOUGH_BYTES ? SHARED_MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** If one of two peers does not start, stops the other one. */
async function bothOrNone<One extends Stoppable, Two extends Stoppable>(
  one: Promise<One>,
  two: Promise<Two>,
): Promise<[One, Two]> {
  try {
    return await Promise.all([one, two]);
  } catch (error) {
    for (const start of await Promise.allSettled([one, two]))
      if (start.status === 'fulfilled') await start.value.stop();
    throw error;
  }
}

interface Stoppable {
  stop(): Promise<unknown>;
}

const SHARED_SETTINGS = ['max_connections=300', 'shared_buffers=64MB', 'listen_addresses=127.0.0.1'];
/** Durability of the database itself is not under test, and its many databases live for seconds. */
const FAST_SETTINGS = [
  'fsync=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'autovacuum=off',
];

/** A PostgreSQL server that can restart. */
export interface Postgres {
  /** URL of the `postgres` database. */
  url: string;
  /** Restarts like `pg_ctl restart` in one of its modes. */
  restart(mode: keyof typeof SHUTDOWN_SIGNALS): Promise<void>;
  stop(): Promise<void>;
}

/** https://www.postgresql.org/docs/current/server-shutdown.html */
const SHUTDOWN_SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const;

/** Starts PostgreSQL for a test that restarts it. @param directory an existing one that all users may enter */
export async function startOwnPostgres(directory: string): Promise<Postgres> {
  return await startPostgres(join(directory, 'postgres'), [...SHARED_SETTINGS, ...FAST_SETTINGS]);
}

async function startPostgres(databaseDir: string, settings: readonly string[]): Promise<Postgres> {
  const EmbeddedPostgres = await embeddedPostgres();
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: settings.flatMap((setting) => ['-c', setting]),
    initdbFlags: ['--locale=C.UTF-8', '--encoding=UTF8', '--set=scram_iterations=1'],
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  const urlOf = (database: string) => `postgres://postgres:postgres@127.0.0.1:${port}/${database}`;
  await server.createDatabase(MIGRATED);
  await createTables(openPostgres(urlOf(MIGRATED)));
  return {
    url: urlOf('postgres'),
    async restart(mode) {
      // Its first line is the id of the process.
      const [pid = ''] = (await Bun.file(join(databaseDir, 'postmaster.pid')).text()).split('\n');
      process.kill(Number(pid), SHUTDOWN_SIGNALS[mode]);
      await until(() => !isRunning(Number(pid)));
      await server.start();
    },
    stop: () => server.stop(),
  };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Creates a SQLite database with all tables, empty. */
export async function createMigratedSqlite(path: string): Promise<void> {
  const database = openSqlite(path, createLog('silent'));
  await migrate(database, migrations);
  // The log is not part of a copy, and its last connection may end after `close`.
  await sql`pragma wal_checkpoint(truncate)`.execute(database.schema);
  await database.close();
}

async function createTables(database: Database): Promise<void> {
  await migrate(database, migrations);
  await database.close();
}

async function startS3(directory: string) {
  const port = await freePort();
  const server = Bun.spawn(
    [process.execPath, join(import.meta.dir, 's3-server.ts'), String(port), directory],
    {
      stdout: 'pipe',
      stderr: 'inherit',
    },
  );
  for await (const chunk of server.stdout) if (new TextDecoder().decode(chunk).includes('ready')) break;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    async stop() {
      server.kill();
      await server.exited;
    },
  };
}

/** Ports that the system does not assign to connections or to listeners on port 0, which could take them first. */
const PORTS = { first: 20_000, count: 10_000 };

/** Returns a port on which no process listens. */
export async function freePort(): Promise<number> {
  const port = PORTS.first + Math.floor(Math.random() * PORTS.count);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const probe = createServer();
  probe.once('error', () => resolve(false));
  probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  return (await promise) ? port : await freePort();
}
