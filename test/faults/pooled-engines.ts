import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase } from '../harness/databases.ts';
import { type Postgres, startOwnPostgres } from '../harness/peers.ts';
import { documentedPooler, type Pooler, startPooler } from '../harness/pooler.ts';

/** PgBouncer and PostgreSQL, both of which can restart. */
export interface PooledEngines extends AsyncDisposable {
  postgres: Postgres;
  pooler: Pooler;
  /** Returns settings for an empty database. @param listens whether LISTEN bypasses PgBouncer */
  newSettings(listens: boolean): Promise<Record<string, string>>;
}

export async function startPooledEngines(): Promise<PooledEngines> {
  const directory = mkdtempSync(join(tmpdir(), 'posthouse-pooled-'));
  chmodSync(directory, 0o755);
  const postgres = await startOwnPostgres(directory);
  const pooler = await startPooler(join(directory, 'pooler'), postgres.url, await documentedPooler());
  return {
    postgres,
    pooler,
    async newSettings(listens) {
      const direct = await createTestDatabase({ postgresUrl: postgres.url, s3Endpoint: '' });
      const pooled = { POSTHOUSE_DATABASE_URL: pooler.urlOf(direct) };
      return listens ? { ...pooled, POSTHOUSE_DATABASE_LISTEN_URL: direct } : pooled;
    },
    async [Symbol.asyncDispose]() {
      await pooler.stop();
      await postgres.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
