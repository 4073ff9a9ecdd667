import { Database as BunSqlite, type SQLQueryBindings } from 'bun:sqlite';
import { closeSync, existsSync, openSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  type SqliteDatabase,
  SqliteDriver,
  Transaction,
} from 'kysely';
import { createCache } from '../../cache.ts';
import { codeOf } from '../../errors/code-of.ts';
import { type Callers, NO_CALLERS } from '../../limits/callers.ts';
import type { Log } from '../../log.ts';
import { withAfterCommit } from '../after-commit.ts';
import type { Database, Reader, Tables } from '../database.ts';
import { SQLITE_NOW } from '../now.ts';
import { createPrepare, type RunQuery, runWithKysely } from '../prepared.ts';
import { sqliteSnapshot } from '../snapshot.ts';
import { createCheckpoints, lengthOfLog } from './checkpoints.ts';
import { createCommitVersion } from './commit-version.ts';
import { sqliteDialect } from './dialect.ts';
import { createGroupCommit } from './group-commit.ts';
import { LONG_WRITE_LOCK_MS } from './limits.ts';
import { createLogCopier } from './log-copier.ts';
import { createLogSync } from './log-sync.ts';
import { createSlowReader } from './slow-reader.ts';
import { createWritePace } from './write-pace.ts';
import type { WriteTurns } from './write-turns.ts';

const STATEMENTS_KEPT = 500;

const WAIT_FOR_LOCK = 'pragma busy_timeout = 10000';
const DO_NOT_WAIT = 'pragma busy_timeout = 0';
// The timeout comes first: processes that start at the same time also contend for the change of the journal mode.
// Afterwards, transactions wait with pauses (`ImmediateDriver`), since a wait of SQLite blocks the event loop.
const WRITER_PRAGMAS = [
  WAIT_FOR_LOCK,
  'pragma journal_mode = wal',
  // `LogSync` syncs the log at each commit, so a commit survives a power failure; FULL would block the event loop.
  'pragma synchronous = normal',
  'pragma foreign_keys = on',
  // Truncates a log that became long during a backup or a large transaction.
  'pragma journal_size_limit = 67108864',
  'pragma cache_size = -32000',
  // Keeps the previous content of pages changed by a statement or savepoint in memory, not in a file.
  'pragma temp_store = memory',
  DO_NOT_WAIT,
];
const READER_PRAGMAS = [WAIT_FOR_LOCK, 'pragma cache_size = -32000'];

const MAX_PAUSE_MS = 20;
/** Less than `YIELD_MS` of `write-turns.ts`, for which the other processes leave the lock free. */
const MAX_PAUSE_IN_TURN_MS = 2;

/** Errors of the file and their remedies, by the codes of SQLite and of the system. */
const UNUSABLE: readonly (readonly [RegExp, string])[] = [
  [
    /^SQLITE_(?:NOTADB|CORRUPT)/,
    'is damaged, or not a database: move it away, and restore a backup with `posthouse restore`.',
  ],
  [
    /^(?:EACCES|EPERM|EROFS|SQLITE_(?:READONLY|CANTOPEN|PERM))/,
    'is not writable: give this user write access to it and its directory.',
  ],
];

/** Opens the writing and the reading connection. @throws Error with a sentence for the operator */
function connect(file: string): [writer: BunSqlite, reader: BunSqlite] {
  try {
    // SQLite creates its log files with the mode of the database file. Closing a file that this process has open
    // already would release SQLite's locks on it (https://www.sqlite.org/howtocorrupt.html, 2.2).
    if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
    const writer = new BunSqlite(file, { create: true, readwrite: true });
    for (const pragma of WRITER_PRAGMAS) writer.run(pragma);
    const reader = new BunSqlite(file, { readonly: true });
    for (const pragma of READER_PRAGMAS) reader.run(pragma);
    return [writer, reader];
  } catch (error) {
    const code = String(codeOf(error));
    const [, reason] = UNUSABLE.find(([codes]) => codes.test(code)) ?? [];
    throw reason === undefined ? error : new Error(`The database ${file} ${reason}`);
  }
}

interface SqliteOptions {
  /** Turns with the other processes of this server; null = there are none. */
  turns?: WriteTurns | null;
  /** Maximum wait for the write lock while another process has it. */
  lockMs?: number;
  callers?: Pick<Callers, 'current' | 'lastReadByOthers'>;
}

/** Opens the SQLite database in `file`, and creates it where it is missing. */
export function openSqlite(
  file: string,
  log: Log,
  { turns = null, lockMs = LONG_WRITE_LOCK_MS, callers = NO_CALLERS }: SqliteOptions = {},
): Database {
  const [writerConnection, readerConnection] = connect(file);
  const caller = callers.current;
  const writes = withPreparedStatements(writerConnection);
  const reads = withPreparedStatements(readerConnection);
  const writer = new Kysely<Tables>({
    dialect: sqliteDialect(() => new ImmediateDriver(writerConnection, writes, { turns, lockMs })),
  });
  const reader = new Kysely<Tables>({
    dialect: sqliteDialect(() => new ImmediateDriver(readerConnection, reads, { turns: null, lockMs })),
  });
  // SQLite runs a statement synchronously; through Kysely, each waits several times for the only connection.
  const run: RunQuery = <Row>(db: Reader, query: CompiledQuery<Row>) => {
    const statements = db === reader ? reads : db instanceof Transaction ? writes : null;
    return statements
      ? (statements.prepare(query.sql).all(query.parameters) as Row[])
      : runWithKysely(db, query);
  };
  const dataVersion = readerConnection.query<{ data_version: number }, []>('pragma data_version');
  const path = resolve(file);
  const version = createCommitVersion(`${path}-shm`, () => dataVersion.get()?.data_version ?? Number.NaN);
  const slow = createSlowReader(path, log);
  const logSync = createLogSync(path);
  const copier = createLogCopier(path, log);
  const checkpoints = createCheckpoints({
    length: lengthOfLog(readerConnection, writerConnection),
    copy: copier.copy,
    exclusively: (work) => writer.transaction().execute(work),
    log,
  });
  return {
    kind: 'sqlite',
    now: SQLITE_NOW,
    version,
    read: reader,
    caller,
    slow: slow.of,
    prepare: createPrepare(run),
    schema: writer as unknown as Kysely<unknown>,
    ...withAfterCommit(
      createGroupCommit({
        async transaction(work) {
          logSync.requireResponsive();
          await writer.transaction().execute(work);
          checkpoints.committed();
        },
        isOpen: () => writerConnection.inTransaction,
        caller,
        pace: createWritePace(callers.lastReadByOthers),
        sync: logSync.sync,
      }),
    ),
    lock: () => Promise.resolve(),
    durable: logSync.sync,
    snapshot: (work) => sqliteSnapshot(file, work),
    async close() {
      slow.stop();
      checkpoints.stop();
      copier.stop();
      await logSync.close();
      await Promise.all([writer.destroy(), reader.destroy()]);
      readerConnection.close();
      writerConnection.close();
    },
  };
}

/**
 * Takes the write lock at the start of a transaction: an upgrade later fails immediately when another process wrote in
 * between. While another process has the lock, SQLite's own wait would block the event loop, so this
 * one retries with pauses.
 */
class ImmediateDriver extends SqliteDriver {
  readonly #sqlite: BunSqlite;
  readonly #statements: SqliteDatabase;
  readonly #turns: WriteTurns | null;
  readonly #lockMs: number;

  constructor(
    sqlite: BunSqlite,
    database: SqliteDatabase,
    { turns, lockMs }: Required<Pick<SqliteOptions, 'turns' | 'lockMs'>>,
  ) {
    super({ database });
    this.#sqlite = sqlite;
    this.#statements = database;
    this.#turns = turns;
    this.#lockMs = lockMs;
  }

  #run(statement: string): void {
    this.#statements.prepare(statement).run([]);
  }

  override async beginTransaction(): Promise<void> {
    const longest = this.#turns ? MAX_PAUSE_IN_TURN_MS : MAX_PAUSE_MS;
    await this.#turns?.yield();
    const limit = performance.now() + this.#lockMs;
    for (let pause = 1; ; pause = Math.min(pause * 2, longest)) {
      try {
        this.#run('begin immediate');
        return;
      } catch (error) {
        if (!isBusy(error) || performance.now() > limit) throw error;
        const ms = pause * (0.5 + Math.random());
        await (this.#turns?.wait(ms) ?? Bun.sleep(ms));
      }
    }
  }

  override async commitTransaction(): Promise<void> {
    this.#run('commit');
    this.#turns?.released();
  }

  /**
   * Some errors, such as SQLITE_FULL, end the transaction
   * (https://www.sqlite.org/lang_transaction.html#response_to_errors_within_a_transaction). A rollback would then
   * fail, and its error would replace the first one.
   */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#sqlite.inTransaction) await super.rollbackTransaction(connection);
    this.#turns?.released();
  }
}

/** Reports whether another process has the lock, or restores the log after a crash (SQLITE_BUSY_RECOVERY). */
function isBusy(error: unknown): boolean {
  return /^SQLITE_BUSY(_RECOVERY)?$/.test(String(codeOf(error)));
}

function withPreparedStatements(connection: BunSqlite): SqliteDatabase {
  const statements = createCache<ReturnType<SqliteDatabase['prepare']>>({ max: STATEMENTS_KEPT });
  return {
    close: () => connection.close(),
    prepare(sql) {
      let statement = statements.get(sql);
      if (!statement) {
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
