import { expect, test } from 'bun:test';
import { MB } from '../../kernel/bytes.ts';
import { createTakeCredit } from './credits.ts';

test('credits of a workspace are at most its used bytes together, until they end', async () => {
  const take = createTakeCredit(async () => 5 * MB);
  const [first, second, third] = [await take('a', 3 * MB), await take('a', 3 * MB), await take('a', 3 * MB)];
  expect([first.bytes, second.bytes, third.bytes]).toEqual([3 * MB, 2 * MB, 0]);
  expect((await take('b', 3 * MB)).bytes).toBe(3 * MB);
  first.end();
  first.end();
  const after = [await take('a', 2 * MB), await take('a', 2 * MB)];
  expect(after.map(({ bytes }) => bytes)).toEqual([2 * MB, MB]);
});

test('concurrent uploads do not receive one credit twice', async () => {
  const take = createTakeCredit(async () => 3 * MB);
  const all = await Promise.all(Array.from({ length: 5 }, () => take('a', 3 * MB)));
  expect(all.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(3 * MB);
});

test('small credits are not counted', async () => {
  const take = createTakeCredit(() => Promise.reject(new Error('not called')));
  expect((await take('a', MB - 1)).bytes).toBe(MB - 1);
});
