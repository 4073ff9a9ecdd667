import { afterAll } from 'bun:test';
import { join } from 'node:path';
import type { Database } from '../../src/kernel/database/database.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import { openPostgres } from '../../src/kernel/database/postgres.ts';
import { openSqlite } from '../../src/kernel/database/sqlite.ts';
import { migrations } from '../../src/schema.ts';
import { freshDirectory, freshPostgres } from './backends.ts';

export const DATABASES = ['sqlite', 'postgres'] as const;

const open: Database[] = [];
afterAll(async () => {
  await Promise.all(open.splice(0).map((database) => database.close()));
});

/** Where a new, empty database of `kind` is; `openAt` opens it, as often as wanted. */
export async function freshPlace(kind: (typeof DATABASES)[number]): Promise<string> {
  return kind === 'sqlite' ? join(freshDirectory(), 'test.sqlite') : await freshPostgres();
}

/** One more opening of the database at `place`, closed after the tests of the file. */
export function openAt(place: string): Database {
  const database = place.startsWith('postgres') ? openPostgres(place) : openSqlite(place);
  open.push(database);
  return database;
}

/** A new database of `kind` with every table, all of them empty. */
export async function freshDatabase(kind: (typeof DATABASES)[number]): Promise<Database> {
  const database = openAt(await freshPlace(kind));
  await migrate(database.schema, migrations);
  return database;
}
