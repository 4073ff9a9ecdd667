import { type Clock, MINUTE } from '../../kernel/clock.ts';
import type { Attempts } from '../../kernel/limits/attempts.ts';
import { steadyClock } from '../../kernel/limits/steady-clock.ts';
import type { Log } from '../../kernel/log.ts';

/**
 * Counts the responses that Discord counts as invalid requests of an address: 401, 403 and 429. At 10,000 in ten
 * minutes it bans the address
 * (https://discord.com/developers/docs/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans), so after a
 * tenth of them nothing is sent until the ten minutes are over. All nodes share the count, which survives a restart.
 */
export interface InvalidRequests {
  count(): void;
  /** Returns the time for which nothing may be sent, ms; 0 = requests may be sent. */
  waitMs(): number;
}

interface InvalidRequestsDeps {
  attempts: Pick<Attempts, 'waitFor' | 'fail'>;
  clock: Clock;
  log: Log;
}

const RULE = { scope: 'chat invalid requests', limit: 1_000, windowMs: 10 * MINUTE };

export function createInvalidRequests({ attempts, log, ...deps }: InvalidRequestsDeps): InvalidRequests {
  const clock = steadyClock(deps.clock);
  let until = 0;
  const readWait = async () => {
    const waitMs = await attempts.waitFor([RULE]);
    if (waitMs > 0) until = clock.now() + waitMs;
  };
  const logFailure = (work: Promise<void>) =>
    void work.catch((error) => log.error({ error }, 'invalid requests could not be counted'));
  logFailure(readWait());
  return {
    count: () => logFailure(attempts.fail([RULE]).then(readWait)),
    waitMs: () => Math.max(0, until - clock.now()),
  };
}
