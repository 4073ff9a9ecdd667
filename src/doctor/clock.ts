import { SECOND } from '../kernel/clock.ts';
import type { Skew } from '../kernel/database/database-clock.ts';
import { MAX_SKEW_MS } from '../kernel/upkeep/clock-watch.ts';
import { CheckFailed } from './check.ts';

/** Compares this machine's clock with the database's. */
export async function checkClock(skew: Skew | null): Promise<string> {
  if (skew === null) return `${new Date().toISOString()}; there is no other clock to compare.`;
  const difference = skew.aheadMs;
  if (Math.abs(difference) > MAX_SKEW_MS) {
    throw new CheckFailed(
      `This machine is ${(Math.abs(difference) / SECOND).toFixed(1)} s ` +
        `${difference > 0 ? 'ahead of' : 'behind'} the database: synchronize both clocks by NTP.`,
    );
  }
  return `Within ${Math.abs(difference)} ms of the database.`;
}
