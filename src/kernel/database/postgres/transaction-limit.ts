import { postgresUnavailable } from './errors.ts';
import type { PostgresPool } from './pool.ts';

/** The end of a transaction is always sent: it leaves the connection usable, and takes as long as a refusal would. */
const ENDS = new Set(['commit', 'rollback']);

/**
 * Returns connections of a pool for the attempts of one transaction, which fail instead of sending a statement after
 * `until`. A slow network or server could otherwise delay each statement by nearly its whole limit.
 * @param until time of `now`
 */
export function lendUntil(
  pool: Pick<PostgresPool, 'lend'>,
  until: number,
  now = () => performance.now(),
): Pick<PostgresPool, 'lend'> {
  const requireTime = () => {
    if (now() > until) throw postgresUnavailable(new Error('the transaction took too long'));
  };
  return {
    async lend(statementMs) {
      requireTime();
      const lent = await pool.lend(statementMs);
      return {
        async query<Result>(text: string, values: readonly unknown[]) {
          if (!ENDS.has(text)) requireTime();
          return await lent.query<Result>(text, values);
        },
        release: lent.release,
      };
    },
  };
}
