import { expect, test } from 'bun:test';
import { createTally } from './tally.ts';

test('adds by key and in total', () => {
  const tally = createTally<string>();
  expect(tally.add('a', 2)).toBe(2);
  expect(tally.add('a', 3)).toBe(5);
  expect(tally.add('b', 1)).toBe(1);
  expect(tally.of('a')).toBe(5);
  expect(tally.of('c')).toBe(0);
  expect(tally.total).toBe(6);
});

test('keeps only keys with a sum above 0', () => {
  const tally = createTally<string>();
  tally.add('a', 2);
  tally.add('b', 1);
  expect(tally.add('a', -2)).toBe(0);
  expect([...tally.keys()]).toEqual(['b']);
  expect(tally.total).toBe(1);
});
