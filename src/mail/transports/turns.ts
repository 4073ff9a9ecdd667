import { createCache } from '../../kernel/cache.ts';
import type { Clock } from '../../kernel/clock.ts';
import { steadyClock } from '../../kernel/limits/steady-clock.ts';

/** Spreads retries: each blocked caller gets its own slot, so that thousands do not all retry at once. */
export interface Turns {
  /**
   * Reserves the slot behind all others of `key`; returns the ms until then.
   * @param waitMs time for which the limit is used up
   * @param stepMs time in which the limit admits one caller
   */
  next(key: string, waitMs: number, stepMs: number): number;
  /** Reports whether slots of `key` are still ahead, behind which a new caller has to queue. */
  ahead(key: string): boolean;
}

/**
 * `stepMs` of messages that wait for one cause: their number is unlimited, so 200 per second are retried,
 * which does not delay other messages.
 */
export const RETRY_STEP_MS = 5;
const KEYS_KEPT = 10_000;
/** Slots are a little further apart than the limit requires, so a slot is free even if earlier callers ran late. */
const SLACK = 1.05;

export function createTurns(systemTime: Clock): Turns {
  const clock = steadyClock(systemTime);
  const last = createCache<number>({ max: KEYS_KEPT });
  return {
    next(key, waitMs, stepMs) {
      const now = clock.now();
      const before = last.get(key) ?? now;
      const at = Math.max(now + waitMs, before > now ? before + stepMs * SLACK : now);
      last.set(key, at);
      return Math.ceil(at - now);
    },
    ahead: (key) => (last.get(key) ?? 0) > clock.now(),
  };
}
