import { createCache } from '../cache.ts';
import type { Clock } from '../clock.ts';
import { steadyClock } from './steady-clock.ts';

/**
 * A token bucket per key: `burst` at once, then `perMinute` per minute. Kept in the memory of this process. Setting the
 * clock back delays nothing.
 */
export interface RateLimit {
  /**
   * Takes `count` tokens if there is at least one, and returns 0; a negative balance delays the next call. Otherwise
   * takes none and returns the ms until there is a token.
   */
  take(key: string, count?: number): number;
  /** Returns what `take` would return, and takes none. For callers that are subject to several limits. */
  waitFor(key: string): number;
}

const KEYS_KEPT = 100_000;

export interface Rate {
  burst: number;
  perMinute: number;
  clock: Clock;
  /** Number of processes of this server. Each enforces an equal share, since any of them may serve a client. */
  processes?: number;
  /**
   * True = the buckets are empty at first, as if an earlier process had used them up, so that a restart allows no
   * new burst.
   */
  startsEmpty?: boolean;
}

export function createRateLimit({ processes = 1, startsEmpty = false, ...rate }: Rate): RateLimit {
  const clock = steadyClock(rate.clock);
  const opened = clock.now();
  const burst = Math.max(1, Math.floor(rate.burst / processes));
  const perMs = rate.perMinute / processes / 60_000;
  const buckets = createCache<{ tokens: number; at: number }>({ max: KEYS_KEPT });
  const tokensOf = (key: string, now: number): number => {
    const bucket =
      buckets.peek(key) ?? (startsEmpty ? { tokens: 0, at: opened } : { tokens: burst, at: now });
    return Math.min(burst, bucket.tokens + (now - bucket.at) * perMs);
  };
  const missing = (tokens: number): number => Math.max(0, Math.ceil((1 - tokens) / perMs));
  return {
    waitFor: (key) => missing(tokensOf(key, clock.now())),
    take(key, count = 1) {
      const now = clock.now();
      const tokens = tokensOf(key, now);
      const allowed = tokens >= 1;
      buckets.set(key, { tokens: allowed ? tokens - count : tokens, at: now });
      return missing(tokens);
    },
  };
}
