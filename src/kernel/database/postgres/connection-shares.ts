import type { Callers } from '../../limits/callers.ts';
import { createSemaphore } from '../../limits/fair-queue.ts';
import { postgresUnavailable } from './errors.ts';
import type { PostgresPool } from './pool.ts';

type Lending = Pick<PostgresPool, 'lend'>;

interface ShareOptions {
  /** Number of connections of the pool. */
  connections: number;
  /** Maximum time for which a caller waits for its turn, ms. */
  waitMs: number;
}

interface WriteShareOptions extends ShareOptions {
  caller: Callers['current'];
}

const WAITING = { waiting: 1_000, waitingEach: 100 };
const ANY_NUMBER = { waiting: Number.POSITIVE_INFINITY, waitingEach: Number.POSITIVE_INFINITY };

/**
 * Returns connections of a pool for statements that may take long. They use half of the connections at most, and
 * callers take turns, so that the many long statements of one caller do not delay other requests.
 */
export function fairReads(pool: Lending, { connections, waitMs }: ShareOptions): (caller: string) => Lending {
  const running = Math.max(1, Math.floor(connections / 2));
  const { acquire } = createSemaphore({ running, runningEach: Math.max(1, running - 1), ...WAITING, waitMs });
  return (caller) => lendWithPermit(pool, () => acquire(caller));
}

/**
 * Returns connections of a pool for transactions. They leave a fifth of the connections to reads, and callers take
 * turns: transactions wait for commits and for each other's locks, and many of one caller would delay all others.
 */
export function connectionsForWrites(
  pool: Lending,
  { connections, waitMs, caller }: WriteShareOptions,
): Lending {
  const running = Math.max(1, connections - Math.ceil(connections / 5));
  const { acquire } = createSemaphore({
    running,
    runningEach: Math.max(1, running - 1),
    ...ANY_NUMBER,
    waitMs,
  });
  return lendWithPermit(pool, () =>
    acquire(caller()).catch(() => {
      throw postgresUnavailable(new Error('all connections for transactions are in use'));
    }),
  );
}

/** @param acquire waits for a permit, and returns the function that releases it */
function lendWithPermit(pool: Lending, acquire: () => Promise<() => void>): Lending {
  return {
    async lend(statementMs) {
      const release = await acquire();
      const lent = await pool.lend(statementMs).catch((error) => {
        release();
        throw error;
      });
      return {
        query: lent.query,
        release() {
          lent.release();
          release();
        },
      };
    },
  };
}
