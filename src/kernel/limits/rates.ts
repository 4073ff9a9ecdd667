import type { Clock } from '../clock.ts';

/** A token bucket for each key: `burst` at once, then `perMinute` a minute. In memory of this node. */
export interface RateLimit {
  /**
   * Takes `count` as soon as there is one: what it takes beyond what there is has to fill up first for the next. Gives 0, or
   * how many ms to wait before there is one again (and takes none).
   */
  take(key: string, count?: number): number;
  /** What `take` would give; takes none. For what has to stay within several limits at once. */
  waitFor(key: string): number;
}

const KEYS_KEPT = 100_000;

interface Rate {
  burst: number;
  perMinute: number;
  clock: Clock;
  /** True = the buckets fill from now on, as if a process before this one had used them up: a restart gives no new burst. */
  startsEmpty?: boolean;
}

export function createRateLimit({ burst, perMinute, clock, startsEmpty = false }: Rate): RateLimit {
  const opened = clock.now();
  const perMs = perMinute / 60_000;
  const buckets = new Map<string, { tokens: number; at: number }>();
  const tokensOf = (key: string, now: number): number => {
    const bucket = buckets.get(key) ?? (startsEmpty ? { tokens: 0, at: opened } : { tokens: burst, at: now });
    return Math.min(burst, bucket.tokens + Math.max(0, now - bucket.at) * perMs);
  };
  const missing = (tokens: number): number => (tokens >= 1 ? 0 : Math.ceil((1 - tokens) / perMs));
  return {
    waitFor: (key) => missing(tokensOf(key, clock.now())),
    take(key, count = 1) {
      const now = clock.now();
      const tokens = tokensOf(key, now);
      // Deleted and set again, the map stays in order of last use, so that its first key is the one to forget.
      buckets.delete(key);
      const allowed = tokens >= 1;
      buckets.set(key, { tokens: allowed ? tokens - count : tokens, at: now });
      if (buckets.size > KEYS_KEPT)
        for (const [oldest] of buckets) {
          buckets.delete(oldest);
          break;
        }
      return missing(tokens);
    },
  };
}
