import { expect, test } from 'bun:test';
import { createCache } from './cache.ts';

function clockAt(at: number) {
  const clock = { at, now: () => clock.at };
  return clock;
}

test('a full cache drops only the least recently used entry', () => {
  const cache = createCache<number>({ max: 1_000 });
  for (let key = 0; key < 1_000; key++) cache.set(`key ${key}`, key);
  expect(cache.get('key 0')).toBe(0);
  cache.set('another', -1);
  expect(cache.size).toBe(1_000);
  expect(cache.get('key 1')).toBeUndefined();
  for (const key of [0, 2, 500, 999]) expect(cache.get(`key ${key}`)).toBe(key);
});

test('sizes are added up, and an entry larger than the bound is not kept', () => {
  const cache = createCache<string>({ max: 10, sizeOf: (text) => text.length });
  cache.set('a', 'aaaa').set('b', 'bbbb').set('c', 'cccc');
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([undefined, 'bbbb', 'cccc']);
  cache.set('d', 'd'.repeat(11));
  expect([cache.get('d'), cache.get('b')]).toEqual([undefined, 'bbbb']);
});

test('entries expire by the given clock, each after its ttl', () => {
  const clock = clockAt(1_800_000_000_000);
  const cache = createCache<string>({ max: 10, expiry: { ttlMs: 1_000, clock } });
  cache.set('usual', 'u').set('short', 's', { ttl: 100 });
  clock.at += 100;
  expect([cache.get('usual'), cache.get('short')]).toEqual(['u', 's']);
  clock.at += 1;
  expect([cache.get('usual'), cache.get('short')]).toEqual(['u', undefined]);
  clock.at += 900;
  expect(cache.get('usual')).toBeUndefined();
});

test('a clock that is set back does not extend the time of an entry', () => {
  const clock = clockAt(1_800_000_000_000);
  const cache = createCache<string>({ max: 10, expiry: { ttlMs: 1_000, clock } });
  cache.set('a', 'a');
  clock.at -= 3_600_000;
  expect(cache.get('a')).toBe('a');
  clock.at += 1_001;
  expect(cache.get('a')).toBeUndefined();
});

test('reading an entry does not extend its time', () => {
  const clock = clockAt(1_800_000_000_000);
  const cache = createCache<string>({ max: 10, expiry: { ttlMs: 1_000, clock } });
  cache.set('a', 'a');
  clock.at += 900;
  expect(cache.get('a')).toBe('a');
  clock.at += 900;
  expect(cache.get('a')).toBeUndefined();
});
