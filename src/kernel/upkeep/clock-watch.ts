import { MINUTE, SECOND } from '../clock.ts';
import type { DatabaseClock } from '../database/database-clock.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Upkeep } from './upkeep.ts';

/** Difference of clocks above which an operator should synchronize them. */
export const MAX_SKEW_MS = SECOND;

interface ClockWatchDeps {
  clock: DatabaseClock;
  log: Log;
  metrics: Metrics;
  upkeep: Upkeep;
}

/** Synchronizes the clock with the database every minute, and warns of a machine whose clock is wrong. */
export function watchClock({ clock, log, metrics, upkeep }: ClockWatchDeps): void {
  const help = 'Time of this machine less that of the database';
  metrics.gauge('posthouse_clock_skew_seconds', help, [], (gauge) => gauge.set(clock.skewMs() / SECOND));
  const warn = () => {
    const skewMs = clock.skewMs();
    if (Math.abs(skewMs) > MAX_SKEW_MS)
      log.warn({ skewMs }, 'the clocks of this machine and the database differ: synchronize both by NTP');
  };
  warn();
  upkeep.everywhere(MINUTE, 'clock', async () => {
    await clock.synchronize();
    warn();
  });
}
