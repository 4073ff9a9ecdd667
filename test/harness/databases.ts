import { Client } from 'pg';
import { MIGRATED, type Peers, S3_KEYS } from './peers.ts';
import { NODES_VARIABLE } from './start.ts';

/** The two kinds of installation: everything in one directory, or nodes over PostgreSQL and S3. */
const ALL_BACKENDS = ['sqlite+local', 'postgres+s3'] as const;
export type Backend = (typeof ALL_BACKENDS)[number];
/** The backends under test: in a run with several nodes, only those that nodes can share. */
export const BACKENDS: readonly [Backend, ...Backend[]] = process.env[NODES_VARIABLE]
  ? ['postgres+s3']
  : ALL_BACKENDS;

/** One of them, for tests whose subject is the same on both. */
export const ONE_BACKEND: readonly Backend[] = BACKENDS.slice(0, 1);

/** Variable with the path of an empty SQLite database with all tables: copying takes less time than creating one. */
export const SQLITE_VARIABLE = 'POSTHOUSE_TEST_SQLITE';

export type Endpoints = Pick<Peers, 'postgresUrl' | 's3Endpoint'>;

/** Creates an empty PostgreSQL database, or a copy of `template`, and returns its URL. */
export async function createTestDatabase(
  { postgresUrl }: Endpoints,
  template = 'template1',
): Promise<string> {
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  const client = new Client({ connectionString: postgresUrl });
  await client.connect();
  // Copying the files takes a third of the time of the default.
  await client.query(`create database ${name} template ${template} strategy file_copy`);
  await client.end();
  return Object.assign(new URL(postgresUrl), { pathname: `/${name}` }).href;
}

/** Creates an empty bucket. */
export async function createTestBucket({ s3Endpoint }: Endpoints) {
  const bucket = `test-${crypto.randomUUID()}`;
  const made = await fetch(`${s3Endpoint}/${bucket}`, { method: 'PUT' });
  if (!made.ok) throw new Error(`the test bucket could not be created: ${made.status}`);
  return { endpoint: s3Endpoint, bucket, ...S3_KEYS };
}

/**
 * Returns settings for a server on PostgreSQL and S3 without data. Servers with the same settings are nodes of one
 * installation.
 */
export async function clusterSettings(endpoints: Endpoints): Promise<Record<string, string>> {
  const [postgresUrl, s3] = await Promise.all([
    createTestDatabase(endpoints, MIGRATED),
    createTestBucket(endpoints),
  ]);
  return {
    POSTHOUSE_DATABASE_URL: postgresUrl,
    POSTHOUSE_SECRET: 'the-same-secret-on-all-nodes-of-a-test-0123456789',
    POSTHOUSE_S3_URL: `s3://${s3.bucket}?endpoint=${encodeURIComponent(s3.endpoint)}&region=us-east-1`,
    AWS_ACCESS_KEY_ID: s3.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3.secretAccessKey,
  };
}
