import { createCache } from '../kernel/cache.ts';
import { type Clock, DAY, HOUR, SECOND } from '../kernel/clock.ts';
import type { Database } from '../kernel/database/database.ts';
import { createWindowLimit } from '../kernel/limits/windows.ts';
import { type Delivery, HELD, held, type Transport } from '../kernel/outbox/message.ts';
import type { Client, Clients } from './clients.ts';

/**
 * Enforces the limits of clients on all nodes together, in each second, hour and day of the database's clock. Each node
 * also spreads its own messages, so that no second of one node has more than the limit, wherever it begins.
 */
export interface Usage {
  /**
   * Counts one message and returns null; counts none and returns `held` while the client may send no more.
   * @param waited true = the message has waited for this limit before
   */
  take(clientId: string, waited: boolean): Promise<Delivery | null>;
  /** Uncounts a message that was not attempted. */
  giveBack(clientId: string): Promise<void>;
  sweep(): Promise<void>;
}

interface UsageDeps {
  database: Database;
  clients: Clients;
  clock: Clock;
}

type Limits = Client['limits'];

/** Time after which a changed limit holds at the latest. */
const REMEMBERED_MS = 5 * SECOND;
const CLIENTS_KEPT = 10_000;

export function createUsage({ database, clients, clock }: UsageDeps): Usage {
  const remembered = createCache<{ limits: Limits | null }>({
    max: CLIENTS_KEPT,
    expiry: { ttlMs: REMEMBERED_MS, clock },
  });
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
  async function takePeriods(clientId: string, limits: Limits): Promise<Period | null> {
    const periods = periodsOf(limits, clock.now());
    if (periods.length === 0) return null;
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
      if (!limits) return null;
      const waitMs = limits.second === null ? 0 : perSecond.take(clientId, limits.second, waited);
      if (waitMs > 0) return wait(`${limits.second} messages a second`, waitMs);
      const full = await takePeriods(clientId, limits);
      if (!full) return null;
      perSecond.giveBack(clientId);
      return wait(`${full.limit} messages ${full.word}`, full.endsAt - clock.now());
    },
    async giveBack(clientId) {
      const limits = await limitsOf(clientId);
      if (!limits) return;
      perSecond.giveBack(clientId);
      usedUp.delete(clientId);
      await uncountIn(database, clientId, periodsOf(limits, clock.now()));
    },
    async sweep() {
      await database.transaction((trx) =>
        trx.deleteFrom('mail_usage').where('ends_at', '<', clock.now()).execute(),
      );
    },
  };
}

function wait(limit: string, retryAfterMs: number): Delivery {
  return held(`waits: this client may send ${limit}`, retryAfterMs);
}

/** @returns the period that is used up; null = counted in all */
async function countIn(
  database: Database,
  clientId: string,
  periods: readonly Period[],
): Promise<Period | null> {
  try {
    await database.transaction(async (trx) => {
      for (const period of periods) {
        const { count } = await trx
          .insertInto('mail_usage')
          .values({ client_id: clientId, period: period.name, count: 1, ends_at: period.endsAt })
          .onConflict((conflict) =>
            conflict
              .columns(['client_id', 'period'])
              .doUpdateSet((set) => ({ count: set('mail_usage.count', '+', 1) })),
          )
          .returning('count')
          .executeTakeFirstOrThrow();
        // Thrown, so that nothing is counted.
        if (count > period.limit) throw new LimitReached(period);
      }
    });
    return null;
  } catch (error) {
    if (error instanceof LimitReached) return error.period;
    throw error;
  }
}

async function uncountIn(database: Database, clientId: string, periods: readonly Period[]): Promise<void> {
  if (periods.length === 0) return;
  const names = periods.map(({ name }) => name);
  await database.transaction((trx) =>
    trx
      .updateTable('mail_usage')
      .set((set) => ({ count: set('count', '-', 1) }))
      .where('client_id', '=', clientId)
      .where('period', 'in', names)
      .where('count', '>', 0)
      .execute(),
  );
}

interface Period {
  limit: number;
  /** The period in a sentence: “an hour”. */
  word: string;
  /** Key in the table. */
  name: string;
  /** Ms since the epoch. */
  endsAt: number;
}

function periodsOf(limits: Limits, now: number): Period[] {
  const periods = [
    { limit: limits.second, ms: SECOND, letter: 's', word: 'a second' },
    { limit: limits.hour, ms: HOUR, letter: 'h', word: 'an hour' },
    { limit: limits.day, ms: DAY, letter: 'd', word: 'a day' },
  ];
  return periods.flatMap(({ limit, ms, letter, word }) => {
    const number = Math.floor(now / ms);
    return limit === null ? [] : [{ limit, word, name: `${letter}${number}`, endsAt: (number + 1) * ms }];
  });
}

class LimitReached extends Error {
  readonly period: Period;
  constructor(period: Period) {
    super('the limit of a period is reached');
    this.period = period;
  }
}

/**
 * Returns the transport with the limits of clients: it holds messages beyond them. A message counts once, with any
 * number of attempts.
 */
export function limited(transport: Transport, usage: Usage): Transport {
  return {
    ...transport,
    async deliver(message, signal) {
      if (message.clientId === null || message.attempts > 0) return await transport.deliver(message, signal);
      const hold = await usage.take(message.clientId, message.errorCode === HELD);
      if (hold) return hold;
      const delivery = await transport.deliver(message, signal);
      if (delivery.outcome === 'held') await usage.giveBack(message.clientId);
      return delivery;
    },
  };
}
