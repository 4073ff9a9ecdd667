import { expect, test } from 'bun:test';
import { withinLength } from './within-length.ts';

const deep = (count: number) =>
  Array.from({ length: count }, () => ({ path: Array(300).fill('n'.repeat(255)) }));

test('a page of long paths ends early, with at least one result', () => {
  expect(withinLength(deep(100))).toHaveLength(3);
  expect(withinLength(deep(1).map(({ path }) => ({ path: path.concat(path, path, path) })))).toHaveLength(1);
});

test('a page of usual paths is complete', () => {
  const usual = Array.from({ length: 100 }, () => ({ path: ['photos', 'Street'] }));
  expect(withinLength(usual)).toEqual(usual);
});
