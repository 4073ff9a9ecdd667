import {
  type Dialect,
  type Driver,
  InsertQueryNode,
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';

/** SQLite over any driver. */
export function sqliteDialect(createDriver: () => Driver): Dialect {
  return {
    createAdapter: () => new TransactionalDdlAdapter(),
    createDriver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new PlanKeepingCompiler(),
  };
}

/** Allows Kysely to run migrations in a transaction: DDL of SQLite is transactional. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/**
 * Hides parameters from the planner of SQLite. In joins and updates, the planner reads them to find partial indexes
 * that fit their values, and SQLite then compiles the statement again each time values are bound, which takes several
 * times as long as running it. Reads of one table keep this choice of indexes; inserts do not need it.
 */
class PlanKeepingCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    const [root] = this.nodeStack;
    const isSimple = !root || InsertQueryNode.is(root) || (SelectQueryNode.is(root) && !root.joins);
    return isSimple ? '?' : '(select ?)';
  }
}
