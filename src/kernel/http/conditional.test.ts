import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { evaluatePreconditions, httpDate, parseHttpDate, rangeApplies } from './conditional.ts';

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
    expect(rangeApplies(new Headers(ifRange === undefined ? {} : { 'If-Range': ifRange }), state)).toBe(applies);
  });
});

describe('HTTP dates', () => {
  test.each([[SAME], ['Sunday, 06-Nov-94 08:49:37 GMT'], ['Sun Nov  6 08:49:37 1994']])('%p', (text) => {
    expect(parseHttpDate(text)).toBe(784_111_777);
  });

  test.each([['1994-11-06'], ['784111777'], ['Sun, 06 Foo 1994 08:49:37 GMT'], [''], [null]])('%p is none', (text) => {
    expect(parseHttpDate(text)).toBeNull();
  });

  test('every second survives the way out and back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 253_402_300_799 }), (seconds) => {
        expect(parseHttpDate(httpDate(seconds * 1000))).toBe(seconds);
      }),
      { numRuns: 1_000 },
    );
  });
});
