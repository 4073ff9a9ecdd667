import { SECOND } from '../../clock.ts';
import { ConnectionBroken } from './errors.ts';
import type { Lent, PostgresPool } from './pool.ts';

/** Time in which a statement is repeated, so that `REQUEST_LIMITS` limit the second one only. */
const REPEATED_MS = SECOND;

/**
 * Returns connections for reads outside transactions: a statement whose connection broke, or has a stale plan, is
 * repeated once on another one. The server may have ended a connection while it was idle, which is noticed immediately.
 */
export function repeatingReads(pool: Pick<PostgresPool, 'lend'>): Pick<PostgresPool, 'lend'> {
  return {
    async lend(statementMs) {
      const until = performance.now() + REPEATED_MS;
      let lent: Lent | null = await pool.lend(statementMs);
      return {
        async query<Result>(text: string, values: readonly unknown[]) {
          lent ??= await pool.lend(statementMs);
          try {
            return await lent.query<Result>(text, values);
          } catch (error) {
            if (!(error instanceof ConnectionBroken) || performance.now() > until) throw error;
            lent.release();
            lent = null;
            lent = await pool.lend(statementMs);
            return await lent.query<Result>(text, values);
          }
        },
        release: () => lent?.release(),
      };
    },
  };
}
