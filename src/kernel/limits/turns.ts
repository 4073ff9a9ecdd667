import type { Clock } from '../clock.ts';

/**
 * Gives those that a limit holds back a time each, one after the other. Told one and the same time, thousands that wait would
 * all come again together, most of them in vain, and keep others from being looked at.
 */
export interface Turns {
  /**
   * Gives the ms until a turn of its own, after all that were given to `key` before.
   * @param waitMs for how long the limit lets nobody through
   * @param stepMs one passes in this time
   */
  next(key: string, waitMs: number, stepMs: number): number;
  /** True while turns of `key` are still to come, so that who comes new has to queue. */
  ahead(key: string): boolean;
}

const KEYS_KEPT = 10_000;
/** Turns lie a little further apart than the limit asks, so that who comes to its turn finds it free even when others were late. */
const SLACK = 1.05;

export function createTurns(clock: Clock): Turns {
  const last = new Map<string, number>();
  return {
    next(key, waitMs, stepMs) {
      const now = clock.now();
      const before = last.get(key);
      const at = Math.max(now + waitMs, before !== undefined && before > now ? before + stepMs * SLACK : 0);
      last.set(key, at);
      if (last.size > KEYS_KEPT) for (const [old, turn] of last) if (turn < now) last.delete(old);
      return Math.ceil(at - now);
    },
    ahead: (key) => (last.get(key) ?? 0) > clock.now(),
  };
}
