import { type Clock, systemClock } from '../clock.ts';
import type { Database } from './database.ts';
import { readNow } from './now.ts';

/** A clock of this node that is kept in step with that of the database. */
export interface DatabaseClock extends Clock {
  /** Sets the clock by that of the database. */
  synchronize(): Promise<void>;
  /** Difference between this machine's clock and the database's at the last `synchronize`, in ms; > 0 = ahead. */
  skewMs(): number;
}

/** The clocks of this machine and of the database at one moment. */
export interface Skew {
  /** Time of this machine less that of the database, in ms. */
  aheadMs: number;
  /** Maximum error of `aheadMs`. */
  uncertaintyMs: number;
}

const SAMPLES = 3;

/** Compares this machine's clock with that of the database. */
export async function measureSkew(database: Pick<Database, 'now' | 'read'>): Promise<Skew> {
  let best: Skew | undefined;
  for (let sample = 0; sample < SAMPLES; sample++) {
    const started = systemClock.now();
    const theirs = await readNow(database, database.read);
    const ended = systemClock.now();
    const uncertaintyMs = (ended - started) / 2 + 1;
    if (!best || uncertaintyMs < best.uncertaintyMs)
      best = { aheadMs: Math.round((started + ended) / 2 - theirs), uncertaintyMs };
  }
  return best ?? { aheadMs: 0, uncertaintyMs: 0 };
}

/**
 * Returns a clock whose times other nodes can compare with theirs, to within the round trip to PostgreSQL. Between two
 * synchronizations, steps of this machine's clock do not change it. SQLite reads this machine's clock, so there both
 * are the same. Leases, due times and limits use `Database.now` in their statements, which is exact.
 */
export async function openDatabaseClock(
  database: Pick<Database, 'kind' | 'now' | 'read'>,
): Promise<DatabaseClock> {
  let skew = await measureSkew(database);
  const skewMs = () => skew.aheadMs;
  const measure = async () => {
    skew = await measureSkew(database);
  };
  if (database.kind === 'sqlite') return { ...systemClock, synchronize: measure, skewMs };

  /** Time of the database when `performance.now()` was 0. */
  let origin = Number.NaN;
  const set = () => {
    const measured = systemClock.now() - performance.now() - skew.aheadMs;
    // A difference within the error of the measurement is ignored: it would only make the clock jump.
    if (!(Math.abs(measured - origin) <= skew.uncertaintyMs)) origin = measured;
  };
  set();
  return {
    now: () => Math.round(origin + performance.now()),
    async synchronize() {
      await measure();
      set();
    },
    skewMs,
  };
}
