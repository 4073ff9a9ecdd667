import type { Config } from '../config/config.ts';
import { createDataDirectory } from '../config/data-dir.ts';
import { keepRestoredKey } from '../config/restored-key.ts';
import type { Secrets } from '../config/secrets.ts';
import { loadServerKeys } from '../config/server-keys.ts';
import { type Argon2idCost, createArgon2id } from '../kernel/crypto/argon2id.ts';
import { createArgon2idChildren } from '../kernel/crypto/argon2id-children.ts';
import { createPasswords, type Passwords } from '../kernel/crypto/passwords.ts';
import { createVault, type ServerKeys, type Vault } from '../kernel/crypto/vault.ts';
import type { Database } from '../kernel/database/database.ts';
import { type DatabaseClock, openDatabaseClock } from '../kernel/database/database-clock.ts';
import { migrate } from '../kernel/database/migrate.ts';
import { createLocalSignals, type Signals } from '../kernel/database/signals.ts';
import { openSqlite } from '../kernel/database/sqlite/sqlite.ts';
import { createWriteTurns, type WriteTurns } from '../kernel/database/sqlite/write-turns.ts';
import { createTableSignals } from '../kernel/database/table-signals.ts';
import type { Callers } from '../kernel/limits/callers.ts';
import { createLog, type Log, type LogOutput } from '../kernel/log.ts';
import type { Siblings } from '../processes/siblings.ts';
import { requireUtf8 } from './encoding.ts';
import { COMMAND_LIMITS, type EngineLimits, SERVER_LIMITS } from './engine-limits.ts';
import { type Instance, openInstance } from './instance.ts';
import { migrations } from './schema.ts';
import { checkServerKey } from './server-key.ts';

/** Resources shared by the server and all commands. */
export interface Foundation {
  database: Database;
  serverKeys: ServerKeys;
  vault: Vault;
  passwords: Passwords;
  clock: DatabaseClock;
  log: Log;
  close(): Promise<void>;
}

interface FoundationOptions {
  limits?: EngineLimits;
  siblings?: Siblings | null;
  /** Receives the lines of the log. */
  output?: LogOutput;
  /** False = a command, during which servers of an earlier version may run. */
  isServer?: boolean;
  /** Reports whether PostgreSQL is reached without a pooler. */
  isDirect?(): boolean;
  callers?: Pick<Callers, 'current' | 'lastReadByOthers'>;
}

/**
 * Opens the database, brings its schema up to date and loads the server key.
 * @throws Error with a sentence for the operator when the database was used with another key or is not in UTF-8, or a
 *   command would change its schema so that servers of an earlier version fail
 */
export async function openFoundation(
  config: Config,
  secrets: Secrets,
  {
    limits = COMMAND_LIMITS,
    siblings = null,
    output,
    isServer = false,
    isDirect,
    callers,
  }: FoundationOptions = {},
): Promise<Foundation> {
  const log = createLog(config.logLevel, output).child(siblings ? { process: siblings.slot } : {});
  createDataDirectory(config.dataDir);
  const serverKeys = loadServerKeys(secrets, config.dataDir);
  const vault = createVault(serverKeys);
  const turns = siblings && createWriteTurns(siblings.signals);
  const database = await openDatabase(config, secrets, { limits, log, turns, isDirect, callers });
  let clock: DatabaseClock;
  try {
    await requireUtf8(database);
    await migrate(database, migrations, {
      expandOnly: !isServer,
      locked: () =>
        log.warn('the schema update is waiting for a long database transaction, such as a backup'),
    });
    await checkServerKey(database, vault, serverKeys);
    keepRestoredKey(config.dataDir);
    clock = await openDatabaseClock(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return {
    database,
    serverKeys,
    vault,
    passwords: createPasswords(createArgon2id()),
    clock,
    log,
    close: database.close,
  };
}

export interface ServerFoundation extends Foundation {
  signals: Signals;
  instance: Instance;
}

interface ServerFoundationOptions extends Omit<FoundationOptions, 'isDirect' | 'isServer'> {
  /** Cost of new hashes of passwords. */
  passwordCost?: Argon2idCost | undefined;
}

/**
 * Opens the foundation of a server, and locks the data directory until it is closed.
 * @throws DataDirectoryInUse, errors of `openFoundation`
 */
export async function openServerFoundation(
  config: Config,
  secrets: Secrets,
  options: ServerFoundationOptions,
): Promise<ServerFoundation> {
  // Before the migration: a newer server must not change the schema below a running one.
  const instance = openInstance(config, options.siblings?.slot);
  try {
    let isDirect = false;
    const foundation = await openFoundation(config, secrets, {
      ...options,
      isServer: true,
      isDirect: () => isDirect,
    });
    const { signals, haveArrived } = await openSignals(config, secrets, { ...foundation, ...options });
    isDirect = haveArrived && secrets.listenUrl === secrets.databaseUrl;
    const { log } = foundation;
    const { processes } = config;
    const argon2id = createArgon2idChildren({ log, processes, cost: options.passwordCost });
    const close = async () => {
      argon2id.stop();
      await signals.close();
      await foundation.close().finally(instance.close);
    };
    return { ...foundation, signals, instance, passwords: createPasswords(argon2id), close };
  } catch (error) {
    instance.close();
    throw error;
  }
}

interface DatabaseOptions {
  limits?: EngineLimits;
  log?: Log;
  turns?: WriteTurns | null;
  isDirect?: FoundationOptions['isDirect'];
  callers?: FoundationOptions['callers'];
}

/** Opens the configured database, without migrating it. */
export async function openDatabase(
  { database }: Pick<Config, 'database'>,
  secrets: Secrets,
  {
    limits = COMMAND_LIMITS,
    log = createLog('silent'),
    turns = null,
    isDirect,
    callers,
  }: DatabaseOptions = {},
): Promise<Database> {
  if (database.kind === 'sqlite')
    return openSqlite(database.file, log, { turns, lockMs: limits.lockMs, callers });
  const { openPostgres } = await import('../kernel/database/postgres/postgres.ts');
  const { connections } = database;
  const caller = callers?.current;
  return openPostgres(secrets.databaseUrl ?? '', { connections, isDirect, limits: limits.postgres, caller });
}

interface SignalsDeps extends Pick<Foundation, 'database' | 'log'> {
  limits?: EngineLimits;
  siblings?: Siblings | null;
}

/**
 * Returns the signals of the database or, where they do not arrive, signals over a table. `haveArrived` = a
 * signal of the database has arrived.
 */
async function openSignals(
  config: Config,
  secrets: Secrets,
  { database, log, limits = SERVER_LIMITS, siblings }: SignalsDeps,
): Promise<{ signals: Signals; haveArrived: boolean }> {
  if (config.database.kind === 'sqlite')
    return { signals: siblings?.signals ?? createLocalSignals(), haveArrived: false };
  const url = secrets.listenUrl ?? '';
  const { signalsArrive } = await import('../kernel/database/postgres/signals-arrive.ts');
  // A failed connection is reported by the signals.
  const haveArrived = await signalsArrive(url).catch(() => null);
  if (haveArrived === false) {
    log.warn(`signals between nodes use a table instead of LISTEN: ${LISTEN_REMEDY}`);
    return { signals: createTableSignals({ database, log }), haveArrived };
  }
  const { createPostgresSignals } = await import('../kernel/database/postgres/signals.ts');
  const failed = (error: unknown) => log.warn({ error }, 'the connection for signals between nodes failed');
  return { signals: createPostgresSignals(url, failed, limits.signals), haveArrived: haveArrived === true };
}

/** Remedy for signals that do not arrive. */
export const LISTEN_REMEDY =
  'set POSTHOUSE_DATABASE_LISTEN_URL to PostgreSQL itself, since a pooler in transaction mode loses LISTEN.';
