import { expect, test } from 'bun:test';
import { nameKey } from '../../text/name-key.ts';
import { firstFree } from './numbered-names.ts';

/** Returns the name that follows the taken ones, and the number of look-ups. */
async function find(name: string, isTaken: (candidate: string) => boolean) {
  let lookups = 0;
  const free = await firstFree(name, false, async (keys) => {
    lookups++;
    return keys.filter(isTaken).map((name_key) => ({ name_key }));
  });
  return { free, lookups };
}

const upTo = (last: number) => (key: string) => Number(/\((\d+)\)/.exec(key)?.[1]) <= last;

test.each([
  [1, 'a (2).txt'],
  [2, 'a (3).txt'],
  [11, 'a (12).txt'],
  [12, 'a (13).txt'],
  [99_999, 'a (100000).txt'],
  [7_654_321, 'a (7654322).txt'],
])('after %i names comes “%s”, within a few look-ups', async (last, expected) => {
  const { free, lookups } = await find('a.txt', upTo(last));
  expect(free).toBe(expected);
  expect(lookups).toBeLessThan(12);
});

test('the number is free where others than the first are taken', async () => {
  const taken = new Set([
    ...Array.from({ length: 12 }, (_, index) => index),
    ...Array.from({ length: 30 }, (_, index) => 11 * 2 ** index),
  ]);
  const isTaken = (key: string) => taken.has(Number(/\((\d+)\)/.exec(key)?.[1]));
  const { free, lookups } = await find('a.txt', isTaken);
  expect(isTaken(nameKey(free))).toBe(false);
  expect(lookups).toBeLessThan(20);
});
