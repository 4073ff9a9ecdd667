import type { CompiledQuery, Expression, Kysely, Transaction as KyselyTransaction } from 'kysely';
import type { Snapshot } from './snapshot.ts';

/**
 * All tables of the database by name. The kernel and each service add theirs beside their migrations, with `declare
 * module`, so that one transaction can pass through several services although none uses the tables of another.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface Tables {}

/** The operations that are permitted outside a transaction: reads. A `Transaction` is a `Reader` too. */
export type Reader = Pick<
  Kysely<Tables>,
  'selectFrom' | 'selectNoFrom' | 'with' | 'withRecursive' | 'fn' | 'case' | 'getExecutor'
>;

/**
 * An open transaction. Each function that writes takes one as its first parameter, so it cannot be called outside a
 * transaction.
 */
export type Transaction = KyselyTransaction<Tables>;

/** A query built with Kysely or with its `sql`. */
export interface Query<Row> {
  compile(db: Reader): CompiledQuery<Row>;
}

/**
 * Returns a function that runs a query with the values of each call. The query is built and compiled only once, since
 * that takes longer than SQLite takes to run it. For a query that writes, `Db` is `Transaction`.
 * @param build builds the query from a placeholder for each value, to be used as values of the query only
 * @param isLookup whether the query finds rows by a unique key, or inserts rows: then one plan is right for tables of
 *   any size, and PostgreSQL may keep it. Other queries are planned at each run, so that a plan made for an empty table
 *   is not used for a large one.
 */
export type Prepare = <Db extends Reader, Values extends Record<string, string | number | null>, Row>(
  build: (db: Db, values: Values) => Query<Row>,
  options?: { isLookup?: boolean },
) => (db: Db, values: Values) => Promise<Row[]>;

export type DatabaseKind = 'sqlite' | 'postgres';

/**
 * The database. Both kinds have the same tables: ids and JSON as text, times as integer milliseconds, booleans as 0
 * and 1.
 */
export interface Database {
  readonly kind: DatabaseKind;
  /**
   * An expression for the time of the database, in milliseconds since the Unix epoch; it is fixed within a statement.
   * Times that several nodes compare (leases, due times) come from here: the clocks of the nodes may differ.
   */
  readonly now: Expression<number>;
  /**
   * Returns a number that differs after each commit of any process; null on PostgreSQL, which has none.
   * https://www.sqlite.org/pragma.html#pragma_data_version
   */
  readonly version: (() => number) | null;
  /** Reads committed data. On SQLite it has its own connection, so it never waits for a writer. */
  readonly read: Reader;
  /**
   * Returns a reader for queries whose cost is not bounded. On SQLite they run in a child process, with a limit of five
   * seconds, in turn with those of other callers; `readerFor` avoids that for few rows.
   * @param caller an account, a client, or a part of the program
   * @throws Problem 503 `unavailable` for a query that exceeds the limit; 429 and 503 when too many wait
   */
  slow(caller: string): Reader;
  /** Returns the caller of the running work, for which its transactions count: callers take turns with them. */
  caller(): string;
  /**
   * Runs `work` and commits its writes, or rolls them back when it throws. On SQLite one transaction runs at a time,
   * and concurrent ones share a commit. On PostgreSQL a transaction is repeated (three attempts at most) after a
   * serialization failure, a deadlock, or a connection that broke before the commit was sent, and once after a
   * violation of a unique or foreign key, so `work` must have no effect outside the database.
   * @throws Unavailable when the database cannot be used, with `isUnknown` when the commit had already been sent
   */
  transaction<Result>(work: (trx: Transaction) => Promise<Result>): Promise<Result>;
  /**
   * Locks a row until the end of the transaction. On SQLite, which runs one transaction at a time, it does nothing. On
   * PostgreSQL, a transaction that would have to wait is repeated later when another one waits already: call it before
   * expensive work. @param id id of the row @throws Unavailable after some seconds
   */
  lock(trx: Transaction, id: string, row: LockableRow): Promise<void>;
  /**
   * Calls `call`, which must not throw, when the transaction is committed, although it may not be durable yet; never
   * when it is rolled back.
   */
  afterCommit(trx: Transaction, call: () => void): void;
  /**
   * Resolves when all that can be read now would survive a power failure. Call it before an effect outside the database
   * that cannot be undone and depends on what was read.
   */
  durable(): Promise<void>;
  readonly prepare: Prepare;
  /** For migrations and restore only. */
  readonly schema: Schema;
  /** Reads all tables as of one moment, without blocking writers. */
  snapshot<Result>(work: (snapshot: Snapshot) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

export interface LockableRow {
  forNoKeyUpdate(): {
    skipLocked(): { executeTakeFirst(): Promise<unknown> };
    execute(): Promise<unknown>;
  };
}

/** Kysely without knowledge of the tables: the schema builder, and data by `sql`. */
export type Schema = Kysely<unknown>;
