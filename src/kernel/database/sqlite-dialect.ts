import { type Dialect, type Driver, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';

/** SQLite over any driver. */
export function sqliteDialect(createDriver: () => Driver): Dialect {
  return {
    createAdapter: () => new TransactionalDdlAdapter(),
    createDriver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** Lets Kysely run migrations in a transaction: DDL of SQLite is transactional. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
