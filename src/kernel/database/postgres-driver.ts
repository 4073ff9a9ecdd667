import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  type PostgresPoolClient,
  PostgresQueryCompiler,
} from 'kysely';
import { Unavailable } from '../unavailable.ts';
import { isConflict, NotSent } from './postgres-errors.ts';
import type { StatementLimits } from './postgres-limits.ts';
import type { PostgresPool } from './postgres-pool.ts';

type TransactionSettings = Parameters<Driver['beginTransaction']>[1];

/** `hashtext('posthouse migrations')`, as any number that other programs do not use. */
const MIGRATION_LOCK = 1_187_306_512;

/**
 * Kysely over a pool. Behind a pooler in transaction mode, each transaction may run on another connection of the
 * server, so nothing is set on a connection for longer: the limits are set by each transaction, and the lock of the
 * migrations is that of their transaction.
 */
export function postgresDialect(pool: PostgresPool, limits: StatementLimits): Dialect {
  let isMigrating = false;
  const lock = {
    isTaken: () => isMigrating,
    take: async () => {
      isMigrating = true;
    },
    release: async () => {
      isMigrating = false;
    },
  };
  return {
    createAdapter: () => new TransactionLockAdapter(lock),
    createDriver: () => new LimitedDriver(pool, limits, lock.isTaken),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

/** Leaves the lock of the migrations to the transaction that begins next. */
class TransactionLockAdapter extends PostgresAdapter {
  override readonly acquireMigrationLock: () => Promise<void>;
  override readonly releaseMigrationLock: () => Promise<void>;
  constructor(lock: { take(): Promise<void>; release(): Promise<void> }) {
    super();
    this.acquireMigrationLock = lock.take;
    this.releaseMigrationLock = lock.release;
  }
}

class LimitedDriver extends PostgresDriver {
  readonly #begin: string;
  readonly #isMigrating: () => boolean;

  constructor(pool: PostgresPool, { statementMs, idleMs }: StatementLimits, isMigrating: () => boolean) {
    const connect = async () => (await pool.lend(statementMs)) as unknown as PostgresPoolClient;
    super({ pool: { connect, end: async () => {} } });
    this.#begin =
      `set local statement_timeout = ${statementMs}; ` +
      `set local idle_in_transaction_session_timeout = ${idleMs}`;
    this.#isMigrating = isMigrating;
  }

  /** One round trip: without parameters, statements are sent together. */
  override async beginTransaction(
    connection: DatabaseConnection,
    { isolationLevel, accessMode }: TransactionSettings,
  ): Promise<void> {
    const isolation = isolationLevel ? ` isolation level ${isolationLevel}` : '';
    const lock = this.#isMigrating() ? `; select pg_advisory_xact_lock(${MIGRATION_LOCK})` : '';
    const mode = accessMode ? ` ${accessMode}` : '';
    await connection.executeQuery(CompiledQuery.raw(`begin${isolation}${mode}; ${this.#begin}${lock}`));
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.commitTransaction(connection);
    } catch (error) {
      if (!(error instanceof Unavailable) || error instanceof NotSent || isConflict(error)) throw error;
      throw new Unavailable('database', error.message, { cause: error, isUnknown: true });
    }
  }

  /** A connection that cannot be rolled back has ended, and with it the transaction; the first error counts. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await super.rollbackTransaction(connection).catch(() => {});
  }
}
