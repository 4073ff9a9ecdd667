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
import { Unavailable } from '../../errors/unavailable.ts';
import { isConflict, NotSent } from './errors.ts';
import type { StatementLimits } from './limits.ts';
import type { PostgresPool } from './pool.ts';

type TransactionSettings = Parameters<Driver['beginTransaction']>[1];

/**
 * Kysely over a pool. Behind a pooler in transaction mode, each transaction may run on another connection to the
 * server, so each one sets its limits with `set local`.
 */
export function postgresDialect(pool: Pick<PostgresPool, 'lend'>, limits: StatementLimits): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new LimitedDriver(pool, limits),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

class LimitedDriver extends PostgresDriver {
  readonly #limits: string;

  constructor(pool: Pick<PostgresPool, 'lend'>, { statementMs, idleMs }: StatementLimits) {
    const connect = async () => (await pool.lend(statementMs)) as unknown as PostgresPoolClient;
    super({ pool: { connect, end: async () => {} } });
    this.#limits =
      `set local statement_timeout = ${statementMs}; ` +
      `set local idle_in_transaction_session_timeout = ${idleMs}`;
  }

  /** One round trip: without parameters, statements are sent together. */
  override async beginTransaction(
    connection: DatabaseConnection,
    { isolationLevel, accessMode }: TransactionSettings,
  ): Promise<void> {
    const isolation = isolationLevel ? ` isolation level ${isolationLevel}` : '';
    const mode = accessMode ? ` ${accessMode}` : '';
    await connection.executeQuery(CompiledQuery.raw(`begin${isolation}${mode}; ${this.#limits}`));
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
