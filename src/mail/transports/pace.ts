import { createCache } from '../../kernel/cache.ts';
import type { Clock } from '../../kernel/clock.ts';
import { RETRY_STEP_MS } from './turns.ts';

/** Number of recent deliveries by limit. */
export interface Pace {
  delivered(limit: string): void;
  /**
   * Returns the time between two retries of messages that wait for a limit: 200 per second more than are
   * delivered now. Retries are then no slower than deliveries, and few fail when none is delivered.
   */
  stepMs(limit: string): number;
}

const LIMITS_KEPT = 10_000;
/** Short, since a backlog gets its turns within the first seconds, at the pace of that time. */
const RECENT_MS = 100;

export function createPace(clock: Clock): Pace {
  /** Deliveries of about the last `RECENT_MS`: each counts less with its age. */
  const recent = createCache<{ count: number; at: number }>({ max: LIMITS_KEPT });
  const countOf = (limit: string, now: number): number => {
    const { count, at } = recent.get(limit) ?? { count: 0, at: now };
    return count * Math.exp((at - now) / RECENT_MS);
  };
  return {
    delivered(limit) {
      const now = clock.now();
      recent.set(limit, { count: countOf(limit, now) + 1, at: now });
    },
    stepMs: (limit) => 1 / (1 / RETRY_STEP_MS + countOf(limit, clock.now()) / RECENT_MS),
  };
}
