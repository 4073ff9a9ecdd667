import { describe, expect, test } from 'bun:test';
import { evaluatePreconditions, rangeApplies } from './conditional.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const clock = { now: () => NOW };
const state = { etag: '"abc"', lastModified: Date.UTC(1994, 10, 6, 8, 49, 37, 500) };
const SAME = 'Sun, 06 Nov 1994 08:49:37 GMT';
const BEFORE = 'Sun, 06 Nov 1994 08:49:36 GMT';
const AFTER = 'Sun, 06 Nov 1994 08:49:38 GMT';

describe('evaluatePreconditions', () => {
  test.each([
    [{}, 'proceed'],
    [{ 'If-None-Match': '"abc"' }, 'not_modified'],
    [{ 'If-None-Match': 'W/"abc"' }, 'not_modified'],
    [{ 'If-None-Match': '"x", "abc"' }, 'not_modified'],
    [{ 'If-None-Match': '"x,\\", "abc"' }, 'not_modified'],
    [{ 'If-None-Match': '*' }, 'not_modified'],
    [{ 'If-None-Match': '"x"' }, 'proceed'],
    [{ 'If-None-Match': 'abc' }, 'proceed'],
    [{ 'If-None-Match': '"x"', 'If-Modified-Since': AFTER }, 'proceed'],
    [{ 'If-Modified-Since': SAME }, 'not_modified'],
    [{ 'If-Modified-Since': AFTER }, 'not_modified'],
    [{ 'If-Modified-Since': BEFORE }, 'proceed'],
    [{ 'If-Modified-Since': 'yesterday' }, 'proceed'],
    [{ 'If-Match': '"abc"' }, 'proceed'],
    [{ 'If-Match': '*' }, 'proceed'],
    [{ 'If-Match': 'W/"abc"' }, 'failed'],
    [{ 'If-Match': '"x"' }, 'failed'],
    [{ 'If-Unmodified-Since': SAME }, 'proceed'],
    [{ 'If-Unmodified-Since': BEFORE }, 'failed'],
    [{ 'If-Match': '"abc"', 'If-Unmodified-Since': BEFORE }, 'proceed'],
    [{ 'If-Match': '"abc"', 'If-None-Match': '"abc"' }, 'not_modified'],
  ] as const)('%p', (headers, outcome) => {
    expect(evaluatePreconditions(new Headers(headers as Record<string, string>), state)).toBe(outcome);
  });
});

test.each([
  [{ 'If-Modified-Since': AFTER }, 'proceed'],
  [{ 'If-Unmodified-Since': BEFORE }, 'proceed'],
  [{ 'If-None-Match': '"abc"' }, 'not_modified'],
] as const)('without a date, %p', (headers, outcome) => {
  const undated = { ...state, lastModified: null };
  expect(evaluatePreconditions(new Headers(headers as Record<string, string>), undated)).toBe(outcome);
  expect(rangeApplies(new Headers({ 'If-Range': SAME }), undated)).toBe(false);
  expect(rangeApplies(new Headers({ 'If-Range': 'nonsense' }), undated)).toBe(false);
});

describe('rangeApplies', () => {
  test.each([
    [undefined, true],
    ['"abc"', true],
    ['"x"', false],
    ['W/"abc"', false],
    [SAME, true],
    [BEFORE, false],
    [AFTER, false],
    ['nonsense', false],
  ] as const)('If-Range: %p', (ifRange, applies) => {
    expect(rangeApplies(new Headers(ifRange === undefined ? {} : { 'If-Range': ifRange }), state)).toBe(
      applies,
    );
  });
});

test('conditions read years of two digits by the clock', () => {
  const at = { now: () => Date.UTC(2044, 10, 7) };
  const date = 'Sunday, 06-Nov-94 08:49:37 GMT';
  for (const [moment, isPast] of [
    [clock, true],
    [at, false],
  ] as const) {
    const headers = new Headers({
      'If-Range': date,
      'If-Unmodified-Since': 'Sunday, 05-Nov-94 00:00:00 GMT',
    });
    expect(rangeApplies(headers, state, moment)).toBe(isPast);
    expect(evaluatePreconditions(headers, state, moment)).toBe(isPast ? 'failed' : 'proceed');
  }
});
