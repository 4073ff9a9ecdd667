import { type Clock, DAY, HOUR, SECOND } from '../kernel/clock.ts';
import type { Database } from '../kernel/database/database.ts';
import { createWindowLimit } from '../kernel/limits/windows.ts';
import type { Client, Clients } from './clients.ts';

/** Until when a message has to wait, and why. */
interface Waiting {
  untilMs: number;
  reason: string;
}

/** Holds clients to the limits that an administrator set them: of an hour and a day whichever node delivers, of a second each node. */
export interface Usage {
  /**
   * Counts one message; gives null, or until when it has to wait and why (and counts none).
   * @param waited it had to before
   */
  take(clientId: string, waited: boolean): Promise<Waiting | null>;
  /** Uncounts a message that was not tried after all. */
  giveBack(clientId: string): Promise<void>;
  sweep(): Promise<void>;
}

/** A changed limit holds after this at the latest. */
const REMEMBERED_MS = 5 * SECOND;

export function createUsage({ database, clients, clock }: { database: Database; clients: Clients; clock: Clock }): Usage {
  const remembered = new Map<string, { limits: Client['limits'] | null; at: number }>();
  const perSecond = createWindowLimit({ windowMs: SECOND, clock });
  /** Clients that have used up a period, so that thousands that wait for its end do not ask the database each. */
  const usedUp = new Map<string, { period: Period; told: Waiting }>();

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

  /** Counts in all periods or in none. */
  async function takePeriods(clientId: string, limits: Client['limits']): Promise<Waiting | null> {
    const periods = periodsOf(limits, clock.now());
    const known = usedUp.get(clientId);
    if (known && periods.some(({ name, limit }) => name === known.period.name && limit === known.period.limit)) return known.told;
    usedUp.delete(clientId);
    try {
      await database.transaction(async (trx) => {
        for (const period of periods) {
          const { count } = await trx
            .insertInto('mail_usage')
            .values({ client_id: clientId, period: period.name, count: 1, ends_at: period.endsAt })
            .onConflict((conflict) =>
              conflict.columns(['client_id', 'period']).doUpdateSet((set) => ({ count: set('mail_usage.count', '+', 1) })),
            )
            .returning('count')
            .executeTakeFirstOrThrow();
          // Thrown, so that nothing is counted.
          if (count > period.limit) throw new LimitReached(period);
        }
      });
      return null;
    } catch (error) {
      if (!(error instanceof LimitReached)) throw error;
      const { period } = error;
      const told = { untilMs: period.endsAt, reason: `waits: this client may send ${period.limit} messages ${period.word}` };
      usedUp.set(clientId, { period, told });
      return told;
    }
  }

  return {
    async take(clientId, waited) {
      const limits = await limitsOf(clientId);
      if (!limits) return null;
      const wait = limits.second === null ? 0 : perSecond.take(clientId, limits.second, waited);
      if (wait > 0) return { untilMs: clock.now() + wait, reason: `waits: this client may send ${limits.second} messages a second` };
      const full = limits.hour === null && limits.day === null ? null : await takePeriods(clientId, limits);
      if (full) perSecond.giveBack(clientId);
      return full;
    },
    async giveBack(clientId) {
      const limits = await limitsOf(clientId);
      if (!limits) return;
      perSecond.giveBack(clientId);
      usedUp.delete(clientId);
      const periods = periodsOf(limits, clock.now()).map(({ name }) => name);
      if (periods.length === 0) return;
      await database.transaction((trx) =>
        trx
          .updateTable('mail_usage')
          .set((set) => ({ count: set('count', '-', 1) }))
          .where('client_id', '=', clientId)
          .where('period', 'in', periods)
          .where('count', '>', 0)
          .execute(),
      );
    },
    async sweep() {
      await database.transaction((trx) => trx.deleteFrom('mail_usage').where('ends_at', '<', clock.now()).execute());
    },
  };
}

interface Period {
  limit: number;
  /** Of the limit, in words. */
  word: string;
  /** In the table. */
  name: string;
  endsAt: number;
}

function periodsOf(limits: Client['limits'], now: number): Period[] {
  const periods = [
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
