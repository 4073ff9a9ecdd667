import { Database as BunSqlite, type SQLQueryBindings } from 'bun:sqlite';
import { closeSync, openSync } from 'node:fs';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  Kysely,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import { SECOND } from '../clock.ts';
import type { Database, Tables } from './database.ts';
import { createGroupCommit } from './group-commit.ts';
import { sqliteSnapshot } from './snapshot.ts';

const STATEMENTS_KEPT = 500;

// https://www.sqlite.org/pragma.html: WAL with FULL syncs the log at every commit, so that a commit outlives a power cut.
const WAIT_FOR_LOCK = 'pragma busy_timeout = 10000';
const DO_NOT_WAIT = 'pragma busy_timeout = 0';
// The wait comes first: processes that start at once contend for the change of the journal mode as well.
const WRITER_PRAGMAS = [
  WAIT_FOR_LOCK,
  'pragma journal_mode = wal',
  'pragma synchronous = full',
  'pragma foreign_keys = on',
  // 16 MB of log rather than 4: a page that is written again and again goes into the database file once.
  'pragma wal_autocheckpoint = 4000',
  'pragma cache_size = -32000',
];
const READER_PRAGMAS = [WAIT_FOR_LOCK, 'pragma cache_size = -32000'];

const LOCK_LIMIT_MS = 30 * SECOND;
const LONGEST_PAUSE_MS = 20;

/** Opens (and makes, where it is missing) the SQLite database in `file`. */
export function openSqlite(file: string): Database {
  // SQLite gives its log files the mode of the database file.
  closeSync(openSync(file, 'a', 0o600));
  const writerConnection = new BunSqlite(file, { create: true, readwrite: true });
  for (const pragma of WRITER_PRAGMAS) writerConnection.run(pragma);
  const readerConnection = new BunSqlite(file, { readonly: true });
  for (const pragma of READER_PRAGMAS) readerConnection.run(pragma);
  const writer = new Kysely<Tables>({ dialect: dialectOver(writerConnection) });
  const reader = new Kysely<Tables>({ dialect: dialectOver(readerConnection) });
  return {
    kind: 'sqlite',
    read: reader,
    schema: writer as unknown as Kysely<unknown>,
    transaction: createGroupCommit({
      transaction: (work) => writer.transaction().execute(work),
      isOpen: () => writerConnection.inTransaction,
    }),
    snapshot: (work) => sqliteSnapshot(file, work),
    probe: async () => void (await sql`select 1`.execute(reader)),
    async close() {
      await Promise.all([writer.destroy(), reader.destroy()]);
      readerConnection.close();
      writerConnection.close();
    },
  };
}

function dialectOver(connection: BunSqlite): Dialect {
  return {
    createAdapter: () => new TransactionalDdlAdapter(),
    createDriver: () => new ImmediateDriver({ database: withPreparedStatements(connection) }),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** Kysely runs migrations in a transaction only where the adapter says that it may; SQLite's DDL is transactional. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/**
 * Takes the write lock at the start: a lock upgraded later fails at once when another process wrote in between.
 * While another process (a command) has it, SQLite's own wait would stop the whole event loop, so this one gives way between tries.
 */
class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(DO_NOT_WAIT));
    try {
      const limit = performance.now() + LOCK_LIMIT_MS;
      for (let pause = 1; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
        try {
          await connection.executeQuery(CompiledQuery.raw('begin immediate'));
          return;
        } catch (error) {
          if ((error as { code?: unknown } | null)?.code !== 'SQLITE_BUSY' || performance.now() > limit) throw error;
          await Bun.sleep(pause * (0.5 + Math.random()));
        }
      }
    } finally {
      await connection.executeQuery(CompiledQuery.raw(WAIT_FOR_LOCK));
    }
  }
}

function withPreparedStatements(connection: BunSqlite): SqliteDatabase {
  const statements = new Map<string, ReturnType<SqliteDatabase['prepare']>>();
  return {
    close: () => connection.close(),
    prepare(sql) {
      let statement = statements.get(sql);
      if (!statement) {
        if (statements.size >= STATEMENTS_KEPT) statements.clear();
        const prepared = connection.prepare<unknown, SQLQueryBindings[]>(sql);
        statement = {
          reader: prepared.columnNames.length > 0,
          all: (parameters) => prepared.all(...(parameters as SQLQueryBindings[])),
          run: (parameters) => prepared.run(...(parameters as SQLQueryBindings[])),
          iterate: (parameters) => prepared.iterate(...(parameters as SQLQueryBindings[])),
        };
        statements.set(sql, statement);
      }
      return statement;
    },
  };
}
