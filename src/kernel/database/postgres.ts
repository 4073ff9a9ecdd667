import { Kysely, PostgresDialect } from 'kysely';
import { Pool, types } from 'pg';
import type { Database, Tables } from './database.ts';
import { POSTGRES_NOW } from './now.ts';
import { postgresSnapshot } from './snapshot.ts';

const INT8 = 20;
const NUMERIC = 1700;

/** Parses 64-bit integers and sums of them as numbers: sizes and times are below 2^53, so a double is exact. */
const numbersAsNumbers = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 || oid === NUMERIC
      ? Number
      : (types.getTypeParser as (oid: number, format?: string) => unknown)(
          oid,
          format,
        )) as typeof types.getTypeParser,
};

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';
const TRIES = 3;

/** Connects to the PostgreSQL database at `url`, with at most `connections` connections. */
export function openPostgres(url: string, connections = 10): Database {
  const pool = new Pool({ connectionString: url, max: connections, types: numbersAsNumbers });
  // The pool replaces a connection that the server ends. An error event without a listener would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return {
    kind: 'postgres',
    now: POSTGRES_NOW,
    read: kysely,
    schema: kysely as unknown as Kysely<unknown>,
    async transaction(work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await kysely.transaction().execute(work);
        } catch (error) {
          if (attempt === TRIES || !isRepeatable(error)) throw error;
        }
      }
    },
    snapshot: (work) => postgresSnapshot(kysely as unknown as Kysely<unknown>, work),
    close: () => kysely.destroy(),
  };
}

function isRepeatable(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === SERIALIZATION_FAILURE || code === DEADLOCK_DETECTED;
}
