import { Pool, type PoolClient, types } from 'pg';
import { SECOND } from '../../clock.ts';
import { KEEP_ALIVE } from './client.ts';
import {
  ConnectionBroken,
  isOutOfConnections,
  isWithoutTls,
  isWorthWaiting,
  NoResponse,
  postgresUnavailable,
} from './errors.ts';
import { queryInTime } from './query.ts';
import type { PostgresConnection } from './url.ts';

/** A connection for one user at a time. */
export interface Lent {
  /** @throws Unavailable when the connection is broken */
  query<Result>(text: string, values: readonly unknown[]): Promise<Result>;
  /** Returns the connection to the pool, or ends it when it is broken. */
  release(): void;
}

export interface PostgresPool {
  /**
   * @param statementMs time limit of each statement
   * @throws Unavailable when there is no connection in time
   */
  lend(statementMs: number): Promise<Lent>;
  end(): Promise<void>;
}

/** In a transaction, the server enforces the limit of a statement. The connection is ended this much later. */
const GRACE_MS = SECOND / 2;

interface PoolOptions {
  connectMs: number;
  /** Returns the name under which a statement stays prepared; undefined = it is not kept. */
  nameOf(text: string): string | undefined;
}

/** Pause before the next try while the server accepts no further connections. */
const RETRY_MS = SECOND / 10;
/** Time after which the pool may grow again when the server had no further connections. */
const GROW_MS = 5 * SECOND;

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

/**
 * Opens a pool that survives outages: a connection that breaks or does not respond in time is ended, together with all
 * connections opened before its failure, since a network failure breaks them all. While the server accepts no more
 * connections, callers share the open ones.
 */
export function openPool(
  { mayBePlain, ...connection }: PostgresConnection,
  connections: number,
  { connectMs, nameOf }: PoolOptions,
): PostgresPool {
  const pool = new Pool({
    ...connection,
    max: connections,
    types: numbersAsNumbers,
    connectionTimeoutMillis: connectMs,
    ...KEEP_ALIVE,
  });
  /** Connections of earlier generations are no longer lent. */
  let generation = 0;
  const generations = new WeakMap<PoolClient, number>();
  let growing: Timer | undefined;
  // The pool replaces a connection that the server ends. An error event without a listener would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', () => {});
    generations.set(client, generation);
  });

  async function acquire(): Promise<PoolClient> {
    // The last try can take `connectMs` once more.
    const ends = performance.now() + connectMs / 4;
    for (;;) {
      const client = await pool.connect().catch(async (error: unknown) => {
        if (mayBePlain && isWithoutTls(error)) {
          pool.options.ssl = false;
          return null;
        }
        if (!isWorthWaiting(error) || performance.now() > ends) throw postgresUnavailable(error);
        if (isOutOfConnections(error)) shrink();
        await Bun.sleep(RETRY_MS);
        return null;
      });
      if (client && generations.get(client) === generation) return client;
      if (client) endNow(client);
    }
  }

  /** Makes callers wait for the present connections instead of opening another one. */
  function shrink(): void {
    pool.options.max = Math.max(1, pool.totalCount);
    clearTimeout(growing);
    growing = setTimeout(() => {
      pool.options.max = connections;
    }, GROW_MS);
    growing.unref();
  }

  return {
    async lend(statementMs) {
      const client = await acquire();
      let isBroken = false;
      return {
        async query<Result>(text: string, values: readonly unknown[]) {
          if (isBroken) throw postgresUnavailable(new Error('the connection is broken'));
          try {
            return (await queryInTime(
              client,
              statementMs + GRACE_MS,
              { name: nameOf(text), text },
              values,
            )) as Result;
          } catch (error) {
            isBroken = error instanceof ConnectionBroken || error instanceof NoResponse;
            if (isBroken) generation++;
            throw error;
          }
        },
        release() {
          if (isBroken || generations.get(client) !== generation) endNow(client);
          else client.release();
        },
      };
    },
    async end() {
      clearTimeout(growing);
      await pool.end();
    },
  };
}

/** Ends a connection without a closing message, which a dead peer would not acknowledge. */
function endNow(client: PoolClient): void {
  client.connection.stream.destroy();
  client.release(true);
}
