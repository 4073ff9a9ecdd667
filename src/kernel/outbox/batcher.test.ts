import { expect, test } from 'bun:test';
import { Unavailable } from '../errors/unavailable.ts';
import { createBatcher } from './batcher.ts';

test.each([
  ['one by one when an item may be the reason', new Error('of an item'), ['abc', 'a', 'b', 'c']],
  ['no more when the database is unavailable', new Unavailable('database', 'away'), ['abc']],
])('a batch that failed is processed %s', async (_, error, expected) => {
  const runs: string[] = [];
  const store = createBatcher<string, string>({
    keyOf: () => null,
    sizeOf: () => 1,
    async run(items) {
      runs.push(items.join(''));
      throw error;
    },
  });
  const outcomes = await Promise.allSettled(['a', 'b', 'c'].map(store));
  expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason)).toEqual(
    Array(3).fill(error),
  );
  expect(runs).toEqual(expected);
});

test('a batch has at most 128 rows, or one item', async () => {
  const runs: number[][] = [];
  const store = createBatcher<number, number>({
    keyOf: () => null,
    sizeOf: (rows) => rows,
    async run(items) {
      runs.push([...items]);
      return [...items];
    },
  });
  await Promise.all([100, 28, 500, 1, 500].map(store));
  expect(runs).toEqual([[100, 28], [500], [1], [500]]);
});
