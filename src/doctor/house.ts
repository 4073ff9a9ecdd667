import { accessSync, constants, existsSync, mkdtempSync, rmdirSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import type { Config } from '../config/config.ts';
import { loadServerKey, type Secrets } from '../config/secrets.ts';
import { KEY_FACT, openDatabase, serverKeyMark } from '../foundation.ts';
import { createVault } from '../kernel/crypto/vault.ts';
import type { Database } from '../kernel/database/database.ts';
import { newId } from '../kernel/ids.ts';
import { migrations } from '../schema.ts';
import { openBlobs } from '../storage/blobs/open.ts';
import { Ailment, orElse } from './part.ts';

const LOW_SPACE = 1_073_741_824;
const OTHERS = 0o077;

/** The data directory: can be written, is nobody else's, and has space. */
export async function examineDataDirectory({ dataDir }: Config): Promise<string> {
  if (!existsSync(dataDir)) {
    const parent = nearestExisting(dataDir);
    await orElse(`Let this user write to ${parent}, or set POSTHOUSE_DATA_DIR to another directory.`, () =>
      accessSync(parent, constants.W_OK),
    );
    return `${dataDir} will be made on the first start.`;
  }
  const mode = statSync(dataDir).mode & 0o777;
  await orElse(`Let this user write to ${dataDir}, or set POSTHOUSE_DATA_DIR to another directory.`, () =>
    rmdirSync(mkdtempSync(join(dataDir, '.doctor-'))),
  );
  if (mode & OTHERS)
    throw new Ailment(`Other users of the machine can come into ${dataDir} (mode ${mode.toString(8)}): run chmod 700 ${dataDir}`);
  const { bavail, bsize } = statfsSync(dataDir);
  const free = bavail * bsize;
  if (free < LOW_SPACE)
    throw new Ailment(`Only ${inGigabytes(free)} are free in ${dataDir}: make space, or files and messages will be refused.`);
  return `${dataDir} can be written; ${inGigabytes(free)} free.`;
}

function nearestExisting(directory: string): string {
  return existsSync(directory) ? directory : nearestExisting(dirname(directory));
}

function inGigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}

/** What the database knows of itself, for the parts that ask it. */
export interface DatabaseFindings {
  /** The mark of the key that it was used with; null = none yet. */
  keyMark: string | null;
  /** Its clock, ms, and when it told; null = it is this machine's. */
  clock: { theirs: number; ours: number } | null;
  /** Whether a chat client has a bot token, so that the platform must be reached. */
  hasBots: boolean;
}

/** The database: answers, has a schema that this program knows, and may be written. Changes nothing. */
export async function examineDatabase(config: Config, secrets: Secrets, found: (findings: DatabaseFindings) => void): Promise<string> {
  if (config.database.kind === 'sqlite' && !existsSync(config.database.file)) {
    found({ keyMark: null, clock: null, hasBots: false });
    return `SQLite; ${config.database.file} will be made on the first start.`;
  }
  const remedy =
    config.database.kind === 'sqlite'
      ? 'Check the file and who may read it.'
      : 'Check POSTHOUSE_DATABASE_URL, and that the server listens and lets this user in.';
  return await orElse(remedy, async () => {
    const database = openDatabase(config, secrets);
    try {
      const version = await versionOf(database);
      const started = performance.now();
      await sql`select 1`.execute(database.schema);
      const latency = performance.now() - started;
      const tables = (await database.schema.introspection.getTables({ withInternalKyselyTables: true })).map(({ name }) => name);
      const steps = await stepsOf(database, tables);
      found({ keyMark: await keyMarkOf(database, tables), clock: await clockOf(database), hasBots: await hasBots(database, tables) });
      await assertWritable(database);
      return `${version}, ${steps}; answers in ${latency.toFixed(1)} ms.`;
    } finally {
      await database.close();
    }
  });
}

async function versionOf({ kind, schema }: Database): Promise<string> {
  if (kind === 'sqlite')
    return `SQLite ${(await sql<{ version: string }>`select sqlite_version() as version`.execute(schema)).rows[0]?.version}`;
  const { rows } = await sql<{ server_version: string }>`show server_version`.execute(schema);
  return `PostgreSQL ${rows[0]?.server_version}`;
}

async function stepsOf({ schema }: Database, tables: readonly string[]): Promise<string> {
  if (!tables.includes('migrations')) return 'empty';
  const done = (await sql<{ name: string }>`select name from migrations`.execute(schema)).rows.map(({ name }) => name);
  const known = migrations.map(({ name }) => name);
  const unknown = done.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Ailment(`The schema has ${unknown.join(', ')}, of a newer version of Posthouse: run that version or a later one.`);
  const waiting = known.filter((name) => !done.includes(name));
  return waiting.length === 0 ? 'schema up to date' : `${waiting.length} steps of the schema will be done at the next start`;
}

async function hasBots({ read }: Database, tables: readonly string[]): Promise<boolean> {
  if (!tables.includes('chat_clients')) return false;
  return (await read.selectFrom('chat_clients').select('id').where('bot_token', 'is not', null).limit(1).executeTakeFirst()) !== undefined;
}

async function keyMarkOf({ read }: Database, tables: readonly string[]): Promise<string | null> {
  if (!tables.includes('facts')) return null;
  const row = await read.selectFrom('facts').select('value').where('name', '=', KEY_FACT).executeTakeFirst();
  return row?.value ?? null;
}

async function clockOf({ kind, schema }: Database): Promise<DatabaseFindings['clock']> {
  if (kind === 'sqlite') return null;
  const { rows } = await sql<{ now: number }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as now`.execute(schema);
  return rows[0] ? { theirs: Number(rows[0].now), ours: Date.now() } : null;
}

async function assertWritable({ kind, schema }: Database): Promise<void> {
  if (kind === 'sqlite')
    return await orElse('The file must be writable.', () => sql`pragma user_version = 0`.execute(schema).then(() => {}));
  const { rows } = await sql<{ may: boolean; replica: boolean }>`
    select has_schema_privilege(current_schema(), 'create') as may, pg_is_in_recovery() as replica`.execute(schema);
  if (rows[0]?.replica)
    throw new Ailment('This PostgreSQL server is a replica that cannot be written: name the primary in POSTHOUSE_DATABASE_URL.');
  if (!rows[0]?.may) throw new Ailment('The database user may not make tables: grant create on the schema to it.');
}

/** The server key: there, nobody else's, and the one that the database was used with. */
export async function examineKey(config: Config, secrets: Secrets, findings: DatabaseFindings | null): Promise<string> {
  const file = join(config.dataDir, 'secret.key');
  const fromSetting = secrets.serverKey !== null;
  const place = fromSetting ? 'POSTHOUSE_SECRET' : file;
  if (!fromSetting) {
    if (!existsSync(file)) {
      if (findings?.keyMark)
        throw new Ailment(
          `${file} is missing, but the database was used with a key: bring the file back, or set POSTHOUSE_SECRET as it was.`,
        );
      return `${file} will be made on the first start.`;
    }
    const mode = statSync(file).mode & 0o777;
    if (mode & OTHERS) throw new Ailment(`Other users of the machine can read ${file} (mode ${mode.toString(8)}): run chmod 600 ${file}`);
  }
  const mark = serverKeyMark(createVault(loadServerKey(secrets, config.dataDir)));
  if (findings?.keyMark && findings.keyMark !== mark) {
    throw new Ailment(
      `${place} is not the key that this database was used with: bring back the right one, or nothing that was sealed can be opened.`,
    );
  }
  if (!fromSetting && config.database.kind === 'postgres') {
    return `From ${file}; if other nodes share the database, set POSTHOUSE_SECRET to one value on all of them instead.`;
  }
  return `From ${place}${findings?.keyMark ? ', and the database knows it' : ''}.`;
}

/** The blob store: takes, gives back and forgets a few bytes. */
export async function examineBlobs({ blobs: place }: Config, secrets: Secrets): Promise<string> {
  if (place.kind === 'local' && !existsSync(place.directory)) return `${place.directory} will be made on the first start.`;
  const remedy =
    place.kind === 'local'
      ? `Let this user write to ${place.directory}.`
      : 'Check POSTHOUSE_S3_URL (bucket, endpoint, region) and the two keys, which must allow reading, writing and deleting.';
  return await orElse(remedy, async () => {
    const blobs = openBlobs(place, secrets.s3);
    const key = newId();
    const text = `written by posthouse doctor ${key}`;
    const started = performance.now();
    const writer = blobs.create(key);
    try {
      await writer.write(Buffer.from(text));
      await writer.commit();
      if ((await new Response(await blobs.read(key, Buffer.byteLength(text))).text()) !== text)
        throw new Ailment('The store gave back other bytes than it was given.');
    } finally {
      await writer.abort();
      await blobs.delete(key);
    }
    const took = `${(performance.now() - started).toFixed(0)} ms to write, read and delete`;
    return place.kind === 'local' ? `${place.directory}; ${took}.` : `S3 bucket ${place.bucket}; ${took}.`;
  });
}
