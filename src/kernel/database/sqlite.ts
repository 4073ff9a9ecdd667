import { Database as BunSqlite, type SQLQueryBindings } from 'bun:sqlite';
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
} from 'kysely';
import type { Database, Tables } from './database.ts';

const STATEMENTS_KEPT = 500;

// https://www.sqlite.org/pragma.html: WAL with FULL syncs the log at every commit, so that a commit outlives a power cut.
const WRITER_PRAGMAS = [
  'pragma journal_mode = wal',
  'pragma synchronous = full',
  'pragma foreign_keys = on',
  'pragma busy_timeout = 10000',
  'pragma cache_size = -32000',
];
const READER_PRAGMAS = ['pragma busy_timeout = 10000', 'pragma cache_size = -32000'];

/** Opens (and makes, where it is missing) the SQLite database in `file`. */
export function openSqlite(file: string): Database {
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
    transaction: (work) => writer.transaction().execute(work),
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

/** Takes the write lock at the start: a lock upgraded later fails at once when another process wrote in between. */
class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
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
