import { existsSync } from 'node:fs';
import { sql } from 'kysely';
import type { Config } from '../config/config.ts';
import type { Secrets } from '../config/secrets.ts';
import { requireUtf8 } from '../foundation/encoding.ts';
import { openDatabase } from '../foundation/foundation.ts';
import { migrations } from '../foundation/schema.ts';
import { KEY_FACT } from '../foundation/server-key.ts';
import type { Database } from '../kernel/database/database.ts';
import { measureSkew, type Skew } from '../kernel/database/database-clock.ts';
import { readFact } from '../kernel/database/facts.ts';
import { readSteps } from '../kernel/database/migrate.ts';
import { CheckFailed, withRemedy } from './check.ts';
import { encryption } from './postgres.ts';

/** Facts from the database for other checks. */
export interface DatabaseFindings {
  /** Identifies the server key of the database; null = none yet. */
  keyMark: string | null;
  /** Its clock and this machine's; null = the same clock. */
  clock: Skew | null;
  /** Whether a chat client has a bot token, so that the platform must be reachable. */
  hasBots: boolean;
}

interface DatabaseCheck {
  config: Config;
  secrets: Secrets;
  /** The database of the running server that runs the check; null = a command runs it. */
  running: Database | null;
  found(findings: DatabaseFindings): void;
}

/** Checks that the database responds, is writable, and has a schema that this version supports. */
export async function checkDatabase({ config, secrets, running, found }: DatabaseCheck): Promise<string> {
  if (config.database.kind === 'sqlite' && !existsSync(config.database.file)) {
    found({ keyMark: null, clock: null, hasBots: false });
    return `SQLite; ${config.database.file} will be created on the first start.`;
  }
  const remedy =
    config.database.kind === 'sqlite'
      ? 'Check the file and its permissions.'
      : 'Check POSTHOUSE_DATABASE_URL, and that the server listens and accepts this user.';
  return await withRemedy(remedy, async () => {
    // A server opens no second connection to SQLite, whose waits for locks block the event loop. Statements
    // of PostgreSQL may take minutes, and must not occupy the connections for requests.
    const isOwn = running?.kind !== 'sqlite';
    const database = isOwn ? await openDatabase(config, secrets) : running;
    try {
      const version = await versionOf(database);
      await requireUtf8(database);
      const started = performance.now();
      await sql`select 1`.execute(database.schema);
      const latency = performance.now() - started;
      const tables = (await database.schema.introspection.getTables({ withInternalKyselyTables: true })).map(
        ({ name }) => name,
      );
      const steps = await stepsOf(database, tables);
      found({
        keyMark: tables.includes('facts') ? await readFact(database.read, KEY_FACT) : null,
        clock: database.kind === 'sqlite' ? null : await measureSkew(database),
        hasBots: await hasBots(database, tables),
      });
      await assertWritable(database);
      return `${version}${await encryption(config, secrets)}, ${steps}; responds in ${latency.toFixed(1)} ms.`;
    } finally {
      if (isOwn) await database.close();
    }
  });
}

async function versionOf({ kind, schema }: Database): Promise<string> {
  const [name, query] =
    kind === 'sqlite'
      ? ['SQLite', sql<{ version: string }>`select sqlite_version() as version`]
      : ['PostgreSQL', sql<{ version: string }>`select current_setting('server_version') as version`];
  return `${name} ${(await query.execute(schema)).rows[0]?.version}`;
}

async function stepsOf({ schema }: Database, tables: readonly string[]): Promise<string> {
  if (!tables.includes('migrations')) return 'empty';
  const { missing, tooNew } = await readSteps(schema, migrations);
  if (tooNew.length > 0)
    throw new CheckFailed(
      `The schema has migrations of a newer version of Posthouse (${tooNew.join(', ')}): run that ` +
        'version or a later one.',
    );
  return missing.length === 0
    ? 'schema up to date'
    : `${missing.length} migrations will run at the next start`;
}

async function hasBots({ read }: Database, tables: readonly string[]): Promise<boolean> {
  if (!tables.includes('chat_clients')) return false;
  return (
    (await read
      .selectFrom('chat_clients')
      .select('id')
      .where('bot_token', 'is not', null)
      .limit(1)
      .executeTakeFirst()) !== undefined
  );
}

async function assertWritable({ kind, schema, transaction }: Database): Promise<void> {
  if (kind === 'sqlite')
    return await withRemedy('The file must be writable.', () =>
      transaction(async (trx) => void (await sql`pragma user_version = 0`.execute(trx))),
    );
  const { rows } = await sql<{ may: boolean; replica: boolean }>`
    select has_schema_privilege(current_schema(), 'create') as may, pg_is_in_recovery() as replica`.execute(
    schema,
  );
  if (rows[0]?.replica)
    throw new CheckFailed(
      'This PostgreSQL server is a read-only replica: set POSTHOUSE_DATABASE_URL to the primary.',
    );
  if (!rows[0]?.may)
    throw new CheckFailed('The database user may not create tables: grant it CREATE on the schema.');
}
