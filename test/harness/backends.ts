import { afterAll } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Peers, startPeers } from './peers.ts';
import { type Backend, clusterSettings, type Endpoints, makeBucket, makeDatabase } from './places.ts';

export { BACKENDS, type Backend } from './places.ts';

let own: Promise<Peers> | undefined;

/** The peers of the whole run (see `run.ts`), or, where one file is run alone, some of its own. */
async function peers(): Promise<Endpoints> {
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
  return await makeDatabase(await peers());
}

/** An empty bucket of its own. */
export async function freshBucket() {
  return await makeBucket(await peers());
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
  return { ...dataDir, ...(await clusterSettings(await peers())) };
}
