import type { Kysely, Transaction as KyselyTransaction } from 'kysely';
import type { Snapshot } from './snapshot.ts';

/**
 * Every table of the database by name. Each part of the house declares its own beside its migrations, by merging
 * (`declare module`), so that one transaction can pass through several parts while none has to know another's tables.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the parts fill it
export interface Tables {}

/** What may be done outside a transaction: reading. A `Transaction` is a `Reader` too. */
export type Reader = Pick<Kysely<Tables>, 'selectFrom' | 'selectNoFrom' | 'with' | 'withRecursive' | 'fn' | 'case' | 'getExecutor'>;

/** An open transaction. Every function that writes takes one first, so that it cannot be called outside. */
export type Transaction = KyselyTransaction<Tables>;

export type DatabaseKind = 'sqlite' | 'postgres';

/**
 * The database. Both kinds hold the same tables: ids and JSON as text, times as integer milliseconds, truth as 0 and 1.
 */
export interface Database {
  readonly kind: DatabaseKind;
  /** Sees what is committed; on SQLite over a connection of its own, so that it never waits for a writer. */
  readonly read: Reader;
  /**
   * Runs `work` and commits what it wrote, or rolls it back when it throws. On SQLite one transaction runs at a time, and
   * those that come together share one commit; on PostgreSQL it is repeated (three times at most) after a serialization
   * failure or a deadlock, so `work` must have no effect outside the database.
   * @param patienceMs how long it may wait for others to share a commit with, where that saves one
   */
  transaction<Result>(work: (trx: Transaction) => Promise<Result>, patienceMs?: number): Promise<Result>;
  /** For the runner of migrations, restore and nothing else. */
  readonly schema: Schema;
  /** Reads everything as it is at one moment, without making anyone wait. */
  snapshot<Result>(work: (snapshot: Snapshot) => Promise<Result>): Promise<Result>;
  /** Throws when the database does not answer. */
  probe(): Promise<void>;
  close(): Promise<void>;
}

/** Kysely without knowledge of the tables: the schema builder, and data by `sql`. */
export type Schema = Kysely<unknown>;
