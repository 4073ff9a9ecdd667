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

/** Lets Kysely run migrations in a transaction: DDL of SQLite is transactional. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/**
 * Hides parameters from the planner of SQLite. It reads them in joins and updates, for partial indexes that fit
 * their values, and then compiles the statement again each time that values are bound, which costs several times its
 * run. Reads of one table keep that choice of an index, and inserts do not need it.
 */
class PlanKeepingCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    const [root] = this.nodeStack;
    const isSimple = !root || InsertQueryNode.is(root) || (SelectQueryNode.is(root) && !root.joins);
    return isSimple ? '?' : '(select ?)';
  }
}
