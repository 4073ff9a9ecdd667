import { type Clock, MINUTE } from '../kernel/clock.ts';
import { Problem } from '../kernel/http/problem.ts';
import type { Attempts } from '../kernel/limits/attempts.ts';
import { describeError, type Log } from '../kernel/log.ts';

/**
 * Counts the answers that Discord holds against an address: 401, 403 and 429. At 10,000 in ten minutes it bans the address
 * (https://discord.com/developers/docs/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans), so at a tenth of that
 * nothing more is sent until the ten minutes are over. The count is shared by all nodes and outlives a restart.
 */
export interface InvalidRequests {
  count(): void;
  /** Ms since the epoch until which nothing may be sent; 0 = go on. */
  stoppedUntil(): number;
}

const RULE = { scope: 'chat invalid requests', limit: 1_000, windowMs: 10 * MINUTE };

export function createInvalidRequests({ attempts, clock, log }: { attempts: Attempts; clock: Clock; log: Log }): InvalidRequests {
  let until = 0;
  const look = async () => {
    try {
      await attempts.check([RULE]);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      until = clock.now() + Number(error.headers['Retry-After'] ?? 0) * 1000;
    }
  };
  const survive = (work: Promise<void>) =>
    void work.catch((error) => log.error({ error: describeError(error) }, 'invalid requests could not be counted'));
  survive(look());
  return {
    count: () => survive(attempts.fail([RULE]).then(look)),
    stoppedUntil: () => (until > clock.now() ? until : 0),
  };
}
