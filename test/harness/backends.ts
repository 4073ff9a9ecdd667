import { describe } from 'bun:test';
import { copyFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterFile, removeAfterFile } from './cleanup.ts';
import {
  BACKENDS,
  type Backend,
  clusterSettings,
  createTestBucket,
  createTestDatabase,
  type Endpoints,
  SQLITE_VARIABLE,
} from './databases.ts';
import { type Peers, startPeers } from './peers.ts';

export { BACKENDS, type Backend, ONE_BACKEND } from './databases.ts';

/** Enough for concurrent transactions. A connection costs PostgreSQL more CPU time than most tests. */
const FEW_CONNECTIONS = { POSTHOUSE_DATABASE_CONNECTIONS: '4' };

let own: Promise<Peers> | undefined;

/** The peers of the whole run (see `run.ts`), or new ones when a file is run alone. */
async function peers(): Promise<Endpoints> {
  const { POSTHOUSE_TEST_POSTGRES: postgresUrl, POSTHOUSE_TEST_S3: s3Endpoint } = process.env;
  if (postgresUrl && s3Endpoint) return { postgresUrl, s3Endpoint };
  if (!own) {
    const started = startPeers();
    own = started;
    afterFile(async () => await (await started).stop());
  }
  return await own;
}

/** `describe` for those tests of a backend whose subject is the same on all: they run on the first one only. */
export function describeOnce(backend: Backend, name: string, tests: () => void): void {
  if (backend === BACKENDS[0]) describe(name, tests);
}

/** Creates an empty PostgreSQL database, or a copy of `template`, and returns its URL. */
export async function freshPostgres(template?: string): Promise<string> {
  return await createTestDatabase(await peers(), template);
}

/** Creates an empty bucket. */
export async function freshBucket() {
  return await createTestBucket(await peers());
}

/** Creates an empty SQLite database with all tables. @returns false when a file is run alone: there is none to copy */
export function copyMigratedSqlite(file: string): boolean {
  const { [SQLITE_VARIABLE]: migrated } = process.env;
  if (!migrated) return false;
  copyFileSync(migrated, file);
  return true;
}

/** Creates a directory that is removed after the tests of the file. */
export function freshDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'posthouse-test-'));
  removeAfterFile(directory);
  return directory;
}

/**
 * Returns settings for a server on an empty `backend`. Servers with the same settings are nodes of one
 * installation.
 * @param backend by default SQLite, or the one that nodes share in a run of `npm run test:nodes`
 */
export async function freshSettings(backend: Backend = BACKENDS[0]): Promise<Record<string, string>> {
  const directory = freshDirectory();
  const dataDir = { POSTHOUSE_DATA_DIR: directory };
  if (backend === 'sqlite+local') {
    copyMigratedSqlite(join(directory, 'posthouse.sqlite'));
    return dataDir;
  }
  return { ...dataDir, ...(await clusterSettings(await peers())), ...FEW_CONNECTIONS };
}
