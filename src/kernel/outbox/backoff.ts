import { MINUTE, SECOND } from '../clock.ts';

const FIRST = 2 * SECOND;
const MAX_PAUSE_MS = 15 * MINUTE;
const JITTER = 0.25;

/**
 * Returns the delay before the next attempt: 2 s doubling to 15 min, ±25 % so that messages that failed together
 * are not retried together, and at least the delay that the peer requested.
 * @param attempts number of attempts so far, 1 or more
 * @param retryAfterMs delay that the peer requested; null = none
 * @param random from 0 (inclusive) to 1 (exclusive)
 */
export function backoffMs(attempts: number, retryAfterMs: number | null, random = Math.random()): number {
  const base = Math.min(MAX_PAUSE_MS, FIRST * 2 ** (attempts - 1));
  const jittered = Math.round(base * (1 - JITTER + 2 * JITTER * random));
  return Math.max(jittered, retryAfterMs ?? 0);
}
