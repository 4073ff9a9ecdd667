import {
  type Dialect,
  type Driver,
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
 * Hides the parameters of joins from the planner of SQLite. It could use partial indexes for their values, and
 * therefore compiles such a statement again each time that values are bound, which costs several times its run.
 */
class PlanKeepingCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    const [root] = this.nodeStack;
    return root && SelectQueryNode.is(root) && root.joins ? '(select ?)' : '?';
  }
}
