import { createCache } from '../../kernel/cache.ts';
import { type Clock, SECOND } from '../../kernel/clock.ts';
import { RETRY_STEP_MS } from '../../kernel/limits/turns.ts';

/** Number of recent deliveries by limit. */
export interface Pace {
  delivered(limit: string): void;
  /**
   * Returns the time between two retries of messages that wait for a limit: 200 a second more than were delivered in
   * the last second. Retries are then no slower than deliveries, and few are in vain when none is delivered.
   */
  stepMs(limit: string): number;
}

const LIMITS_KEPT = 10_000;

export function createPace(clock: Clock): Pace {
  /** Deliveries of about the last second: each counts less with its age. */
  const recent = createCache<{ count: number; at: number }>({ max: LIMITS_KEPT });
  const countOf = (limit: string, now: number): number => {
    const { count, at } = recent.get(limit) ?? { count: 0, at: now };
    return count * Math.exp((at - now) / SECOND);
  };
  return {
    delivered(limit) {
      const now = clock.now();
      recent.set(limit, { count: countOf(limit, now) + 1, at: now });
    },
    stepMs: (limit) => SECOND / (SECOND / RETRY_STEP_MS + countOf(limit, clock.now())),
  };
}
