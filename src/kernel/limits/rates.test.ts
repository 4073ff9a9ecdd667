import { expect, test } from 'bun:test';
import { createRateLimit } from './rates.ts';

function setUp(burst: number, perMinute: number) {
  const clock = { at: 1_000_000, now: () => clock.at };
  return { clock, limit: createRateLimit({ burst, perMinute, clock }) };
}

test('a burst passes, then one at a time as the bucket fills', () => {
  const { clock, limit } = setUp(3, 60);
  expect([limit.take('a'), limit.take('a'), limit.take('a')]).toEqual([0, 0, 0]);
  expect(limit.take('a')).toBe(1_000);
  clock.at += 400;
  expect(limit.take('a')).toBe(600);
  clock.at += 600;
  expect(limit.take('a')).toBe(0);
  expect(limit.take('a')).toBe(1_000);
});

test('what costs more than there is, is paid off before the next', () => {
  const { clock, limit } = setUp(3, 60);
  expect(limit.take('a', 5)).toBe(0);
  expect(limit.take('a')).toBe(3_000);
  clock.at += 3_000;
  expect(limit.take('a')).toBe(0);
});

test('asking takes nothing', () => {
  const { clock, limit } = setUp(1, 60);
  expect([limit.waitFor('a'), limit.waitFor('a'), limit.take('a')]).toEqual([0, 0, 0]);
  clock.at += 400;
  expect([limit.waitFor('a'), limit.waitFor('a'), limit.take('a')]).toEqual([600, 600, 600]);
});

test('keys have buckets of their own', () => {
  const { limit } = setUp(1, 1);
  expect(limit.take('a')).toBe(0);
  expect(limit.take('b')).toBe(0);
  expect(limit.take('a')).toBe(60_000);
});

test('a refusal costs nothing, and the bucket never holds more than the burst', () => {
  const { clock, limit } = setUp(2, 60);
  limit.take('a');
  limit.take('a');
  for (let i = 0; i < 50; i++) expect(limit.take('a')).toBe(1_000);
  clock.at += 3_600_000;
  expect([limit.take('a'), limit.take('a'), limit.take('a')]).toEqual([0, 0, 1_000]);
});

test('a clock that goes back takes nothing away and gives nothing', () => {
  const { clock, limit } = setUp(2, 60);
  limit.take('a');
  clock.at -= 100_000;
  expect(limit.take('a')).toBe(0);
  expect(limit.take('a')).toBe(1_000);
});

test('of very many keys the longest unused is forgotten, not one in use', () => {
  const { limit } = setUp(1, 1);
  limit.take('in use');
  for (let i = 0; i < 150_000; i++) {
    limit.take(`stranger ${i}`);
    if (i % 1_000 === 0) expect(limit.take('in use')).toBe(60_000);
  }
});

test('one that starts empty gives no burst, as fast as it fills, and is full in time', () => {
  const clock = { at: 1_000_000, now: () => clock.at };
  const limit = createRateLimit({ burst: 2, perMinute: 60, clock, startsEmpty: true });
  expect([limit.take('a'), limit.waitFor('b')]).toEqual([1_000, 1_000]);
  clock.at += 1_000;
  expect([limit.take('a'), limit.take('a')]).toEqual([0, 1_000]);
  clock.at += 60_000;
  expect([limit.take('b'), limit.take('b'), limit.take('b')]).toEqual([0, 0, 1_000]);
});
