import type { Clock } from '../clock.ts';
import type { Probe } from '../service.ts';
import type { Database } from './database.ts';

const NAME = 'last_probe';

/** Returns a probe that commits a row: a database on a full disk still serves queries. */
export function createWriteProbe({ database, clock }: { database: Database; clock: Clock }): Probe {
  return () =>
    database.transaction(async (trx) => {
      const value = String(clock.now());
      await trx
        .insertInto('facts')
        .values({ name: NAME, value })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
        .execute();
    });
}
