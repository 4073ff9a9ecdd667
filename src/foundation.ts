import { mkdirSync } from 'node:fs';
import type { Config } from './config/config.ts';
import { loadServerKey, type Secrets } from './config/secrets.ts';
import { type Instance, openInstance } from './instance.ts';
import { createVault, type Vault } from './kernel/crypto/vault.ts';
import type { Database } from './kernel/database/database.ts';
import { type DatabaseClock, openDatabaseClock } from './kernel/database/database-clock.ts';
import { migrate } from './kernel/database/migrate.ts';
import { createLocalSignals, type Signals } from './kernel/database/signals.ts';
import { openSqlite } from './kernel/database/sqlite.ts';
import { createLog, describeError, type Log } from './kernel/log.ts';
import { migrations } from './schema.ts';

/** Resources shared by the server and all commands. */
export interface Foundation {
  database: Database;
  signals: Signals;
  vault: Vault;
  clock: DatabaseClock;
  log: Log;
  close(): Promise<void>;
}

/**
 * Opens the database, brings its schema up to date and loads the server key.
 * @throws Error with a sentence for the operator when the database was used with another key
 */
export async function openFoundation(config: Config, secrets: Secrets): Promise<Foundation> {
  const log = createLog(config.logLevel);
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const vault = createVault(loadServerKey(secrets, config.dataDir));
  const database = await openDatabase(config, secrets);
  let clock: DatabaseClock;
  try {
    await migrate(database, migrations);
    await checkServerKey(database, vault);
    clock = await openDatabaseClock(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  const signals = await openSignals(config, secrets, log);
  return {
    database,
    signals,
    vault,
    clock,
    log,
    async close() {
      await signals.close();
      await database.close();
    },
  };
}

/** The foundation of a server. */
export interface ServerFoundation extends Foundation {
  instance: Instance;
}

/**
 * Opens the foundation of a server, and locks the data directory until it is closed.
 * @throws DataDirectoryInUse, errors of `openFoundation`
 */
export async function openServerFoundation(config: Config, secrets: Secrets): Promise<ServerFoundation> {
  // Before the migration: a newer server must not change the schema below a running one.
  const instance = openInstance(config);
  try {
    const foundation = await openFoundation(config, secrets);
    return { ...foundation, instance, close: () => foundation.close().finally(instance.close) };
  } catch (error) {
    instance.close();
    throw error;
  }
}

/** Opens the configured database, without migrating it. */
export async function openDatabase(config: Config, secrets: Secrets): Promise<Database> {
  if (config.database.kind === 'sqlite') return openSqlite(config.database.file);
  const { openPostgres } = await import('./kernel/database/postgres.ts');
  return openPostgres(secrets.databaseUrl ?? '');
}

async function openSignals(config: Config, secrets: Secrets, log: Log): Promise<Signals> {
  if (config.database.kind === 'sqlite') return createLocalSignals();
  const { createPostgresSignals } = await import('./kernel/database/postgres-signals.ts');
  return createPostgresSignals(secrets.databaseUrl ?? '', (error) =>
    log.warn({ error: describeError(error) }, 'signals between nodes failed'),
  );
}

/** Name of the fact that identifies the server key of a database. */
export const KEY_FACT = 'server_key';

/** Returns the value of `KEY_FACT`: identifies the key without revealing it. */
export function serverKeyMark(vault: Vault): string {
  return vault.sign('server key', 'mark');
}

/** Rejects a node with another key, which could neither open existing secrets nor seal new ones for the other nodes. */
async function checkServerKey(database: Database, vault: Vault): Promise<void> {
  const mark = serverKeyMark(vault);
  const known = await database.transaction(async (trx) => {
    await trx
      .insertInto('facts')
      .values({ name: KEY_FACT, value: mark })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    return await trx
      .selectFrom('facts')
      .select('value')
      .where('name', '=', KEY_FACT)
      .executeTakeFirstOrThrow();
  });
  if (known.value !== mark) {
    throw new Error(
      'This database was used with another server key. Set POSTHOUSE_SECRET to the same value on ' +
        'every node, or restore the key file (secret.key) in the data directory.',
    );
  }
}
