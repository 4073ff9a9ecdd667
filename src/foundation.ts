import { mkdirSync } from 'node:fs';
import type { Config } from './config/config.ts';
import { loadServerKey, type Secrets } from './config/secrets.ts';
import { type Clock, systemClock } from './kernel/clock.ts';
import { createVault, type Vault } from './kernel/crypto/vault.ts';
import type { Database } from './kernel/database/database.ts';
import { migrate } from './kernel/database/migrate.ts';
import { openPostgres } from './kernel/database/postgres.ts';
import { createLocalSignals, createPostgresSignals, type Signals } from './kernel/database/signals.ts';
import { openSqlite } from './kernel/database/sqlite.ts';
import { createLog, describeError, type Log } from './kernel/log.ts';
import { migrations } from './schema.ts';

/** What the server and every command stand on. */
export interface Foundation {
  database: Database;
  signals: Signals;
  vault: Vault;
  clock: Clock;
  log: Log;
  close(): Promise<void>;
}

/**
 * Opens the database, brings its schema up to date and loads the server key.
 * @throws Error with a sentence for the operator when the key is not the one that this database was used with
 */
export async function openFoundation(config: Config, secrets: Secrets): Promise<Foundation> {
  const log = createLog(config.logLevel);
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const vault = createVault(loadServerKey(secrets, config.dataDir));
  const database = openDatabase(config, secrets);
  try {
    await migrate(database.schema, migrations);
    await checkServerKey(database, vault);
  } catch (error) {
    await database.close();
    throw error;
  }
  const signals =
    config.database.kind === 'sqlite'
      ? createLocalSignals()
      : createPostgresSignals(secrets.databaseUrl ?? '', (error) =>
          log.warn({ error: describeError(error) }, 'signals between nodes failed'),
        );
  return {
    database,
    signals,
    vault,
    clock: systemClock,
    log,
    async close() {
      await signals.close();
      await database.close();
    },
  };
}

/** Opens the database that the settings name, and does nothing else to it. */
export function openDatabase(config: Config, secrets: Secrets): Database {
  return config.database.kind === 'sqlite' ? openSqlite(config.database.file) : openPostgres(secrets.databaseUrl ?? '');
}

/** The name of the fact by which a database knows the key that it was used with. */
export const KEY_FACT = 'server_key';

/** What stands under `KEY_FACT`. */
export function serverKeyMark(vault: Vault): string {
  return vault.sign('server key', 'mark');
}

/** A node with another key could open no secret and would seal what the others cannot open. */
async function checkServerKey(database: Database, vault: Vault): Promise<void> {
  const mark = serverKeyMark(vault);
  const known = await database.transaction(async (trx) => {
    await trx
      .insertInto('facts')
      .values({ name: KEY_FACT, value: mark })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    return await trx.selectFrom('facts').select('value').where('name', '=', KEY_FACT).executeTakeFirstOrThrow();
  });
  if (known.value !== mark) {
    throw new Error(
      'This database was used with another server key. Set POSTHOUSE_SECRET to the same value on every node, or bring back the key file (secret.key) of the data directory.',
    );
  }
}
