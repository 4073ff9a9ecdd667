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

test('processes enforce equal shares', () => {
  const { clock } = setUp(3, 60);
  const limit = createRateLimit({ burst: 5, perMinute: 60, clock, processes: 2 });
  expect([limit.take('a'), limit.take('a'), limit.take('a')]).toEqual([0, 0, 2_000]);
  const small = createRateLimit({ burst: 1, perMinute: 60, clock, processes: 2 });
  expect([small.take('a'), small.take('a')]).toEqual([0, 2_000]);
});

test('a cost above the balance must refill before the next take', () => {
  const { clock, limit } = setUp(3, 60);
  expect(limit.take('a', 5)).toBe(0);
  expect(limit.take('a')).toBe(3_000);
  clock.at += 3_000;
  expect(limit.take('a')).toBe(0);
});

test('waitFor takes nothing', () => {
  const { clock, limit } = setUp(1, 60);
  expect([limit.waitFor('a'), limit.waitFor('a'), limit.take('a')]).toEqual([0, 0, 0]);
  clock.at += 400;
  expect([limit.waitFor('a'), limit.waitFor('a'), limit.take('a')]).toEqual([600, 600, 600]);
});

test('a wait is in whole ms and ends when a token is there', () => {
  const { clock, limit } = setUp(1, 1_000);
  expect(limit.take('a')).toBe(0);
  clock.at += 0.5;
  expect(limit.take('a')).toBe(60);
  clock.at += 59.5;
  expect(limit.take('a')).toBe(0);
  const slow = setUp(3, 60);
  slow.limit.take('b', 2);
  slow.clock.at += 500;
  expect(slow.limit.waitFor('b')).toBe(0);
  expect(slow.limit.take('a', 2)).toBe(0);
  expect([slow.limit.waitFor('a'), slow.limit.take('a')]).toEqual([0, 0]);
});

test('keys have separate buckets', () => {
  const { limit } = setUp(1, 1);
  expect(limit.take('a')).toBe(0);
  expect(limit.take('b')).toBe(0);
  expect(limit.take('a')).toBe(60_000);
});

test('a rejected take costs nothing, and the bucket never exceeds the burst', () => {
  const { clock, limit } = setUp(2, 60);
  limit.take('a');
  limit.take('a');
  for (let i = 0; i < 50; i++) expect(limit.take('a')).toBe(1_000);
  clock.at += 3_600_000;
  expect([limit.take('a'), limit.take('a'), limit.take('a')]).toEqual([0, 0, 1_000]);
});

test('a clock that goes back changes nothing', () => {
  const { clock, limit } = setUp(2, 60);
  limit.take('a');
  clock.at -= 100_000;
  expect(limit.take('a')).toBe(0);
  expect(limit.take('a')).toBe(1_000);
});

test('a clock that is set back delays no refill, also of a bucket that starts empty', () => {
  const { clock, limit } = setUp(1, 60);
  const empty = createRateLimit({ burst: 1, perMinute: 60, clock, startsEmpty: true });
  limit.take('a');
  clock.at -= 3_600_000;
  expect([limit.waitFor('a'), empty.waitFor('a')]).toEqual([1_000, 1_000]);
  clock.at += 1_000;
  expect([limit.take('a'), empty.take('a')]).toEqual([0, 0]);
});

test('with too many keys, the least recently used one is dropped', () => {
  const { limit } = setUp(1, 1);
  limit.take('in use');
  for (let i = 0; i < 150_000; i++) {
    limit.take(`stranger ${i}`);
    if (i % 1_000 === 0) expect(limit.take('in use')).toBe(60_000);
  }
});

test('a bucket that starts empty allows no burst and fills in time', () => {
  const clock = { at: 1_000_000, now: () => clock.at };
  const limit = createRateLimit({ burst: 2, perMinute: 60, clock, startsEmpty: true });
  expect([limit.take('a'), limit.waitFor('b')]).toEqual([1_000, 1_000]);
  clock.at += 1_000;
  expect([limit.take('a'), limit.take('a')]).toEqual([0, 1_000]);
  clock.at += 60_000;
  expect([limit.take('b'), limit.take('b'), limit.take('b')]).toEqual([0, 0, 1_000]);
});
