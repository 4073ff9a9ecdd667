import { LRUCache } from 'lru-cache';
import type { Clock } from './clock.ts';
import { steadyClock } from './limits/steady-clock.ts';

/** A bounded map in memory. When it is full, the least recently used entry is dropped. */
export type Cache<Value extends object | string | number | true> = LRUCache<string, Value>;

interface CacheOptions<Value> {
  /** Maximum number of entries, or, with `sizeOf`, maximum of the sum of their sizes. */
  max: number;
  /** Returns the size of an entry, at least 1. */
  sizeOf?: (value: Value) => number;
  /** Called when an entry leaves the cache. */
  dropped?: (value: Value) => void;
  /**
   * Age in ms at which an entry is dropped unless `set` names another `ttl`; absent = entries do not expire.
   */
  expiry?: { ttlMs: number; clock: Clock };
}

export function createCache<Value extends object | string | number | true>({
  max,
  sizeOf = () => 1,
  dropped,
  expiry,
}: CacheOptions<Value>): Cache<Value> {
  const clock = expiry && steadyClock(expiry.clock);
  return new LRUCache({
    // Not the library's own `max`, which allocates room for all entries at once: 3 MB for 100,000.
    maxSize: max,
    sizeCalculation: sizeOf,
    ...(dropped && { dispose: dropped }),
    ...(clock && { ttl: expiry.ttlMs, ttlResolution: 0, perf: clock }),
  });
}
