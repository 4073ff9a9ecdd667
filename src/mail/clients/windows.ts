import type { Clock } from '../../kernel/clock.ts';
import { steadyClock } from '../../kernel/limits/steady-clock.ts';
import { createTurns } from '../transports/turns.ts';

/**
 * At most `count` for each key in any window of `windowMs`, wherever the window begins. Kept in the memory of this
 * process.
 */
export interface WindowLimit {
  /**
   * Takes one and returns 0, or takes none and returns the ms until the caller's slot.
   * @param waited true if the caller already had a slot; others queue behind such callers
   */
  take(key: string, count: number, waited: boolean): number;
  /** Undoes the latest take of `key`. */
  giveBack(key: string): void;
}

/**
 * The first window counts as full, since an earlier process may have used it up. Setting the clock back delays
 * nothing.
 */
export function createWindowLimit(deps: { windowMs: number; clock: Clock }): WindowLimit {
  const { windowMs } = deps;
  const clock = steadyClock(deps.clock);
  const opened = clock.now();
  const taken = new Map<string, number[]>();
  const turns = createTurns(clock);

  /** Returns the time at which the next caller may pass. */
  function free(times: readonly number[], count: number): number {
    return (times.at(-count) ?? opened) + windowMs;
  }

  return {
    take(key, count, waited) {
      const now = clock.now();
      const recent = (taken.get(key) ?? []).filter((at) => at > now - windowMs);
      const wait = free(recent, count) - now;
      if (wait > 0 || (!waited && turns.ahead(key))) return turns.next(key, wait, windowMs / count);
      taken.set(key, [...recent, now]);
      return 0;
    },
    giveBack: (key) => void taken.get(key)?.pop(),
  };
}
