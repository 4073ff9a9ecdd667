import { afterAll } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { type Peers, S3_KEYS, startPeers } from './peers.ts';

/** The two ways to run: everything in one directory, and nodes over PostgreSQL and S3. */
export const BACKENDS = ['sqlite+local', 'postgres+s3'] as const;
export type Backend = (typeof BACKENDS)[number];

let own: Promise<Peers> | undefined;

/** The peers of the whole run (see `run.ts`), or, where one file is run alone, some of its own. */
async function peers(): Promise<Pick<Peers, 'postgresUrl' | 's3Endpoint'>> {
  const { POSTHOUSE_TEST_POSTGRES: postgresUrl, POSTHOUSE_TEST_S3: s3Endpoint } = process.env;
  if (postgresUrl && s3Endpoint) return { postgresUrl, s3Endpoint };
  own ??= startPeers();
  return await own;
}

afterAll(async () => {
  await (await own)?.stop();
});

/** An empty PostgreSQL database of its own; gives its URL. */
export async function freshPostgres(): Promise<string> {
  const { postgresUrl } = await peers();
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  const client = new Client({ connectionString: postgresUrl });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return Object.assign(new URL(postgresUrl), { pathname: `/${name}` }).href;
}

/** An empty bucket of its own. */
export async function freshBucket(): Promise<{ endpoint: string; bucket: string; accessKeyId: string; secretAccessKey: string }> {
  const { s3Endpoint } = await peers();
  const bucket = `test-${crypto.randomUUID()}`;
  const made = await fetch(`${s3Endpoint}/${bucket}`, { method: 'PUT' });
  if (!made.ok) throw new Error(`the test bucket could not be made: ${made.status}`);
  return { endpoint: s3Endpoint, bucket, ...S3_KEYS };
}

/** A directory that is removed after the tests of the file. */
export function freshDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'posthouse-test-'));
  directories.push(directory);
  return directory;
}

const directories: string[] = [];
afterAll(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

/** The settings that put a server on `backend`, with everything empty. Given to several servers, they are nodes of one. */
export async function freshSettings(backend: Backend): Promise<Record<string, string>> {
  const dataDir = { POSTHOUSE_DATA_DIR: freshDirectory() };
  if (backend === 'sqlite+local') return dataDir;
  const [postgresUrl, s3] = await Promise.all([freshPostgres(), freshBucket()]);
  return {
    ...dataDir,
    POSTHOUSE_DATABASE_URL: postgresUrl,
    POSTHOUSE_SECRET: 'a secret that all the nodes of a test share',
    POSTHOUSE_S3_URL: `s3://${s3.bucket}?endpoint=${encodeURIComponent(s3.endpoint)}&region=us-east-1`,
    AWS_ACCESS_KEY_ID: s3.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3.secretAccessKey,
  };
}
