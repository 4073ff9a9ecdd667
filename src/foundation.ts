import { mkdirSync } from 'node:fs';
import type { Config } from './config/config.ts';
import type { Secrets } from './config/secrets.ts';
import { loadServerKeys } from './config/server-keys.ts';
import { type Instance, openInstance } from './instance.ts';
import { createVault, type ServerKeys, type Vault } from './kernel/crypto/vault.ts';
import type { Database } from './kernel/database/database.ts';
import { type DatabaseClock, openDatabaseClock } from './kernel/database/database-clock.ts';
import { migrate } from './kernel/database/migrate.ts';
import { createLocalSignals, type Signals } from './kernel/database/signals.ts';
import { openSqlite } from './kernel/database/sqlite.ts';
import { createLog, describeError, type Log } from './kernel/log.ts';
import { migrations } from './schema.ts';
import { checkServerKey } from './server-key.ts';

/** Resources shared by the server and all commands. */
export interface Foundation {
  database: Database;
  signals: Signals;
  serverKeys: ServerKeys;
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
  const serverKeys = loadServerKeys(secrets, config.dataDir);
  const vault = createVault(serverKeys);
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
    serverKeys,
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
