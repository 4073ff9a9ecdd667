import { MINUTE, SECOND } from '../clock.ts';

const FIRST = 2 * SECOND;
const LONGEST = 15 * MINUTE;
const JITTER = 0.25;

/**
 * How long to wait before the next attempt: 2 s doubling to 15 min, ±25 % so that messages which failed together do not
 * come again together; never shorter than the peer asked for.
 * @param attempts how many were made, 1 or more
 * @param retryAfterMs what the peer asked for, null = nothing
 * @param random from 0 up to 1
 */
export function backoffMs(attempts: number, retryAfterMs: number | null, random = Math.random()): number {
  const base = Math.min(LONGEST, FIRST * 2 ** Math.min(attempts - 1, 20));
  const jittered = Math.round(base * (1 - JITTER + 2 * JITTER * random));
  return Math.max(jittered, retryAfterMs ?? 0);
}
