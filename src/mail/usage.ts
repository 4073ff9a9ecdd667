import { type Clock, DAY, HOUR, SECOND } from '../kernel/clock.ts';
import type { Database } from '../kernel/database/database.ts';
import { createRateLimit } from '../kernel/limits/rates.ts';
import type { Client, Clients } from './clients.ts';

/** Holds clients to the limits that an administrator set them, whichever node delivers. */
export interface Usage {
  /** Counts one message; gives null, or until when it has to wait and why (and counts none). */
  take(clientId: string): Promise<{ untilMs: number; reason: string } | null>;
  sweep(): Promise<void>;
}

/** A changed limit holds after this at the latest. */
const REMEMBERED_MS = 5 * SECOND;

export function createUsage({ database, clients, clock }: { database: Database; clients: Clients; clock: Clock }): Usage {
  const remembered = new Map<string, { limits: Client['limits'] | null; at: number }>();
  const perSecond = new Map<number, ReturnType<typeof createRateLimit>>();

  async function limitsOf(clientId: string): Promise<Client['limits'] | null> {
    const now = clock.now();
    const known = remembered.get(clientId);
    if (known && now - known.at < REMEMBERED_MS) return known.limits;
    if (remembered.size > 10_000) remembered.clear();
    const { second = null, hour = null, day = null } = (await clients.find(clientId))?.limits ?? {};
    const limits = second === null && hour === null && day === null ? null : { second, hour, day };
    remembered.set(clientId, { limits, at: now });
    return limits;
  }

  function secondBucket(limit: number) {
    const bucket = perSecond.get(limit) ?? createRateLimit({ burst: limit, perMinute: limit * 60, clock });
    perSecond.set(limit, bucket);
    return bucket;
  }

  /** Counts in all periods or in none. */
  async function takePeriods(clientId: string, limits: Client['limits']): Promise<{ untilMs: number; reason: string } | null> {
    const now = clock.now();
    const periods = [
      { limit: limits.hour, ms: HOUR, name: 'h', word: 'an hour' },
      { limit: limits.day, ms: DAY, name: 'd', word: 'a day' },
    ].flatMap((period) => (period.limit === null ? [] : [{ ...period, limit: period.limit, number: Math.floor(now / period.ms) }]));
    try {
      await database.transaction(async (trx) => {
        for (const period of periods) {
          const { count } = await trx
            .insertInto('mail_usage')
            .values({ client_id: clientId, period: `${period.name}${period.number}`, count: 1, ends_at: (period.number + 1) * period.ms })
            .onConflict((conflict) =>
              conflict.columns(['client_id', 'period']).doUpdateSet((set) => ({ count: set('mail_usage.count', '+', 1) })),
            )
            .returning('count')
            .executeTakeFirstOrThrow();
          // Thrown, so that nothing is counted.
          if (count > period.limit) throw new LimitReached((period.number + 1) * period.ms, `${period.limit} messages ${period.word}`);
        }
      });
      return null;
    } catch (error) {
      if (error instanceof LimitReached) return { untilMs: error.untilMs, reason: `waits: this client may send ${error.message}` };
      throw error;
    }
  }

  return {
    async take(clientId) {
      const limits = await limitsOf(clientId);
      if (!limits) return null;
      const wait = limits.second === null ? 0 : secondBucket(limits.second).take(clientId);
      if (wait > 0) return { untilMs: clock.now() + wait, reason: `waits: this client may send ${limits.second} messages a second` };
      return limits.hour === null && limits.day === null ? null : await takePeriods(clientId, limits);
    },
    async sweep() {
      await database.transaction((trx) => trx.deleteFrom('mail_usage').where('ends_at', '<', clock.now()).execute());
    },
  };
}

class LimitReached extends Error {
  readonly untilMs: number;
  constructor(untilMs: number, limit: string) {
    super(limit);
    this.untilMs = untilMs;
  }
}
