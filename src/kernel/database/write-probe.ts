import type { Clock } from '../clock.ts';
import type { Probe } from '../service.ts';
import type { Database } from './database.ts';
import { putFact } from './facts.ts';

const NAME = 'last_probe';

/** Returns a probe that commits a row: a database on a full disk still serves queries. */
export function createWriteProbe({ database, clock }: { database: Database; clock: Clock }): Probe {
  return () => database.transaction((trx) => putFact(trx, NAME, String(clock.now())));
}
