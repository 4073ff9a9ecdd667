import { Migrator } from 'kysely';
import type { Schema } from './database.ts';

/** One step of the schema, the same text on both databases. Once landed it is never changed, only followed by another. */
export interface Migration {
  /** Sorts after all earlier ones: `0001_outbox`, `0002_accounts` … */
  name: string;
  up(schema: Schema): Promise<void>;
}

/**
 * Brings the database to the newest schema, all or nothing, under a lock, so that nodes may start at once.
 * @throws when a migration fails, or when the database has one that this program does not know
 */
export async function migrate(schema: Schema, migrations: readonly Migration[]): Promise<void> {
  const byName = Object.fromEntries(migrations.map((migration) => [migration.name, { up: migration.up }]));
  if (Object.keys(byName).length !== migrations.length) throw new Error('two migrations have one name');
  const migrator = new Migrator({
    db: schema,
    provider: { getMigrations: async () => byName },
    migrationTableName: 'migrations',
    migrationLockTableName: 'migrations_lock',
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}
