import { Migrator, sql } from 'kysely';
import type { Schema } from './database.ts';

/**
 * A step of the schema, the same on both databases. A released migration is never changed, only followed by
 * another.
 */
export interface Migration {
  /** Sorts after all earlier ones: `0001_outbox`, `0002_accounts`, … */
  name: string;
  up(schema: Schema): Promise<void>;
}

const TABLE = 'migrations';

/**
 * Applies the missing migrations, all or none, under a lock, so that several nodes may start at the same time.
 * @throws when a migration fails, or when the database has one that this version does not have
 */
export async function migrate(schema: Schema, migrations: readonly Migration[]): Promise<void> {
  const byName = Object.fromEntries(migrations.map((migration) => [migration.name, { up: migration.up }]));
  if (Object.keys(byName).length !== migrations.length) throw new Error('two migrations have one name');
  const migrator = new Migrator({
    db: schema,
    provider: { getMigrations: async () => byName },
    migrationTableName: TABLE,
    migrationLockTableName: 'migrations_lock',
  });
  await refuseNewer(schema, byName);
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}

/** Runs statements of a migration one after the other. */
export async function runStatements(schema: Schema, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(schema);
}

/** @throws Error with a sentence for the operator when the database has a migration that this version does not have */
async function refuseNewer(schema: Schema, known: Record<string, unknown>): Promise<void> {
  const tables = await schema.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === TABLE)) return;
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(TABLE)} order by name`.execute(
    schema,
  );
  const unknown = rows.flatMap(({ name }) => (name in known ? [] : name));
  if (unknown.length > 0) {
    throw new Error(
      `This database was made by a newer version of Posthouse (it has ${unknown.join(', ')}). Run ` +
        'that version or a later one.',
    );
  }
}
