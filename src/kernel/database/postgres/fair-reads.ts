import { createPlaces } from '../../limits/fair-queue.ts';
import type { PostgresPool } from './pool.ts';

type Lending = Pick<PostgresPool, 'lend'>;

interface FairReadsOptions {
  /** Number of connections of the pool. */
  connections: number;
  /** Maximum time for which a statement waits for its turn, ms. */
  waitMs: number;
}

const WAITING = { waiting: 1_000, waitingEach: 100 };

/**
 * Returns connections of a pool for statements that may take long. They use half of the connections at most, and
 * callers take turns, so that the many long statements of one caller do not delay other requests.
 */
export function fairReads(
  pool: Lending,
  { connections, waitMs }: FairReadsOptions,
): (caller: string) => Lending {
  const running = Math.max(1, Math.floor(connections / 2));
  const place = createPlaces({ running, runningEach: Math.max(1, running - 1), ...WAITING, waitMs });
  return (caller) => ({
    async lend(statementMs) {
      const leave = await place(caller);
      const lent = await pool.lend(statementMs).catch((error) => {
        leave();
        throw error;
      });
      return {
        query: lent.query,
        release() {
          lent.release();
          leave();
        },
      };
    },
  });
}
