import { DAY, HOUR, SECOND } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Client } from './clients.ts';

/** Limits of a client by period; null = none. */
export type Limits = Client['limits'];

/** A second, hour or day in which the messages of a client are limited. */
export interface Period {
  limit: number;
  /** The period in a sentence: “an hour”. */
  word: string;
  /** Key in the table. */
  name: string;
  /** Ms since the epoch. */
  endsAt: number;
}

/** Returns the current periods of those limits that are set, the shortest first. */
export function periodsOf(limits: Limits, now: number): Period[] {
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

/**
 * Counts a message in all periods, or in none when one of them is used up. Locks their rows in the given order.
 * @returns the period that is used up; null = counted in all
 */
export async function countIn(
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
        // Rolls the transaction back, so that nothing is counted.
        if (count > period.limit) throw new LimitReached(period);
      }
    });
    return null;
  } catch (error) {
    if (error instanceof LimitReached) return error.period;
    throw error;
  }
}

/** Removes a message from the counts of periods, whose rows it locks in the order of `countIn`. */
export async function removeFromCounts(
  database: Database,
  clientId: string,
  periods: readonly Period[],
): Promise<void> {
  if (periods.length === 0) return;
  await database.transaction(async (trx) => {
    for (const { name } of periods)
      await trx
        .updateTable('mail_usage')
        .set((set) => ({ count: set('count', '-', 1) }))
        .where('client_id', '=', clientId)
        .where('period', '=', name)
        .where('count', '>', 0)
        .execute();
  });
}

class LimitReached extends Error {
  readonly period: Period;
  constructor(period: Period) {
    super('the limit of a period is reached');
    this.period = period;
  }
}
