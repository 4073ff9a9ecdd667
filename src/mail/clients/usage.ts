import { createCache } from '../../kernel/cache.ts';
import { type Clock, SECOND } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/database/database.ts';
import { type Delivery, held } from '../../kernel/outbox/message.ts';
import { createTurns, RETRY_STEP_MS } from '../transports/turns.ts';
import type { Clients } from './clients.ts';
import { countIn, type Limits, type Period, periodsOf, removeFromCounts } from './usage-periods.ts';
import { createWindowLimit } from './windows.ts';

/**
 * Enforces the limits of clients on all nodes together, in each second, hour and day of the database's clock. Each node
 * also spreads its own messages, so that it sends no more than the limit in any second.
 */
export interface Usage {
  /**
   * Counts one message; or, while the client may send no more, counts none and returns a `hold`.
   * @param waited true = the message has waited for this limit before
   */
  take(clientId: string, waited: boolean): Promise<Taken>;
  /** Removes a message that was not attempted from the counts. @param periods those in which `take` counted it */
  giveBack(clientId: string, periods: readonly Period[]): Promise<void>;
  sweep(): Promise<void>;
}

/**
 * @property hold null = the message may be sent
 * @property periods the periods in which it was counted
 */
interface Taken {
  hold: Delivery | null;
  periods: readonly Period[];
}

interface UsageDeps {
  database: Database;
  clients: Clients;
  clock: Clock;
}

/** Maximum time until a changed limit takes effect. */
const REMEMBERED_MS = 5 * SECOND;
const CLIENTS_KEPT = 10_000;

export function createUsage({ database, clients, clock }: UsageDeps): Usage {
  const remembered = createCache<{ limits: Limits | null }>({
    max: CLIENTS_KEPT,
    expiry: { ttlMs: REMEMBERED_MS, clock },
  });
  const turns = createTurns(clock);
  const perSecond = createWindowLimit({ windowMs: SECOND, clock });
  /** Periods that clients have used up, so that thousands of waiting messages cause no query each. */
  const usedUp = createCache<Period>({ max: CLIENTS_KEPT });

  async function limitsOf(clientId: string): Promise<Limits | null> {
    const known = remembered.get(clientId);
    if (known) return known.limits;
    const { second = null, hour = null, day = null } = (await clients.find(clientId))?.limits ?? {};
    const limits = second === null && hour === null && day === null ? null : { second, hour, day };
    remembered.set(clientId, { limits });
    return limits;
  }

  /** Counts in all periods, or in none and returns the one that is used up. */
  async function takePeriods(clientId: string, periods: readonly Period[]): Promise<Period | null> {
    const known = usedUp.get(clientId);
    if (known && periods.some(({ name, limit }) => name === known.name && limit === known.limit))
      return known;
    usedUp.delete(clientId);
    const full = await countIn(database, clientId, periods);
    if (full) usedUp.set(clientId, full);
    return full;
  }

  return {
    async take(clientId, waited) {
      const limits = await limitsOf(clientId);
      if (!limits) return { hold: null, periods: [] };
      const waitMs = limits.second === null ? 0 : perSecond.take(clientId, limits.second, waited);
      if (waitMs > 0) return wait(`${limits.second} messages a second`, waitMs);
      const periods = periodsOf(limits, clock.now());
      const full = await takePeriods(clientId, periods);
      if (!full) return { hold: null, periods };
      perSecond.giveBack(clientId);
      const untilTurn = turns.next(`${full.endsAt} ${clientId}`, full.endsAt - clock.now(), RETRY_STEP_MS);
      return wait(`${full.limit} messages ${full.word}`, untilTurn);
    },
    async giveBack(clientId, periods) {
      if (periods.length === 0) return;
      perSecond.giveBack(clientId);
      usedUp.delete(clientId);
      const now = clock.now();
      // The sweep deletes the rows of past periods.
      await removeFromCounts(
        database,
        clientId,
        periods.filter(({ endsAt }) => endsAt > now),
      );
    },
    async sweep() {
      await database.transaction((trx) =>
        trx.deleteFrom('mail_usage').where('ends_at', '<', clock.now()).execute(),
      );
    },
  };
}

function wait(limit: string, retryAfterMs: number): Taken {
  return { hold: held(`waits: this client may send ${limit}`, retryAfterMs), periods: [] };
}
