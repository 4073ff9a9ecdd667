import { expect, test } from 'bun:test';
import { backoffMs } from './backoff.ts';

test.each([
  [1, 2_000],
  [2, 4_000],
  [3, 8_000],
  [9, 512_000],
  [10, 900_000],
  [100_000, 900_000],
])('after %d attempts it is %d ms, ±25 %', (attempts, base) => {
  expect(backoffMs(attempts, null, 0)).toBe(base * 0.75);
  expect(backoffMs(attempts, null, 0.5)).toBe(base);
  expect(backoffMs(attempts, null, 1)).toBe(base * 1.25);
});

test('is a whole number of ms', () => {
  expect(backoffMs(1, null, 0.000_3)).toBe(1_500);
  expect(backoffMs(1, null, 0.000_7)).toBe(1_501);
});

test('is never shorter than the peer’s Retry-After', () => {
  expect(backoffMs(1, 60_000, 0.5)).toBe(60_000);
  expect(backoffMs(1, 1_999, 0.5)).toBe(2_000);
  expect(backoffMs(10, 1, 0.5)).toBe(900_000);
});

test('of many messages is spread', () => {
  const waits = Array.from({ length: 100 }, () => backoffMs(5, null));
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(24_000);
  expect(Math.max(...waits)).toBeLessThanOrEqual(40_000);
  expect(new Set(waits).size).toBeGreaterThan(10);
});
