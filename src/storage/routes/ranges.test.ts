import { describe, expect, test } from 'bun:test';
import { fc } from '../../../test/harness/properties.ts';
import { contentRange, parseRange } from './ranges.ts';

const RUNS = { numRuns: 1_000 };

describe('parseRange', () => {
  test.each([
    ['bytes=0-0', 10, { start: 0, end: 1 }],
    ['bytes=2-4', 10, { start: 2, end: 5 }],
    ['bytes=2-', 10, { start: 2, end: 10 }],
    ['bytes=-3', 10, { start: 7, end: 10 }],
    ['bytes=-10', 10, { start: 0, end: 10 }],
    ['bytes=-11', 10, { start: 0, end: 10 }],
    ['bytes=9-9', 10, { start: 9, end: 10 }],
    ['bytes=5-99', 10, { start: 5, end: 10 }],
    ['Bytes = 1-2 ', 10, { start: 1, end: 3 }],
    ['bytes=,1-2,', 10, { start: 1, end: 3 }],
    [`bytes=1-${'9'.repeat(400)}`, 10, { start: 1, end: 10 }],
    ['bytes=10-', 10, 'unsatisfiable'],
    ['bytes=10-10', 10, 'unsatisfiable'],
    ['bytes=-0', 10, 'unsatisfiable'],
    ['bytes=0-', 0, 'unsatisfiable'],
    ['bytes=-5', 0, 'whole'],
    ['bytes=4-2', 10, 'whole'],
    ['bytes=0-1,4-5', 10, 'whole'],
    ['bytes=', 10, 'whole'],
    ['bytes', 10, 'whole'],
    ['kilobytes=0-1', 10, 'whole'],
    ['bytes=-', 10, 'whole'],
    ['bytes=a-b', 10, 'whole'],
    ['bytes=1-2-3', 10, 'whole'],
    ['bytes=1=2', 10, 'whole'],
    ['bytes=1-2=3', 10, 'whole'],
    ['bytes=+1-2', 10, 'whole'],
    ['items=0-1', 10, 'whole'],
    ['', 10, 'whole'],
    [null, 10, 'whole'],
  ] as const)('%p of %p bytes', (header, size, asked) => {
    expect(parseRange(header, size)).toEqual(asked);
  });

  test('any first-last range equals a slice', () => {
    fc.assert(
      fc.property(fc.nat(50), fc.nat(60), fc.nat(60), (size, first, length) => {
        const bytes = Array.from({ length: size }, (_, index) => index);
        const last = first + length;
        const asked = parseRange(`bytes=${first}-${last}`, size);
        if (first >= size) return expect(asked).toBe('unsatisfiable');
        const { start, end } = asked as { start: number; end: number };
        expect(bytes.slice(start, end)).toEqual(bytes.slice(first, last + 1));
      }),
      RUNS,
    );
  });

  test('any suffix equals a slice from the end', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 80 }), (size, suffix) => {
        const { start, end } = parseRange(`bytes=-${suffix}`, size) as { start: number; end: number };
        expect([end, end - start]).toEqual([size, Math.min(size, suffix)]);
      }),
      RUNS,
    );
  });

  test('no header results in a range outside the representation', () => {
    const header = fc.oneof(
      fc.string(),
      fc
        .tuple(fc.constantFrom('bytes=', 'BYTES=', 'bytes =', 'x='), fc.stringMatching(/^[-0-9, =a]{0,12}$/))
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(header, fc.nat(1_000), (text, size) => {
        const asked = parseRange(text, size);
        if (asked === 'whole' || asked === 'unsatisfiable') return;
        expect(asked.start).toBeGreaterThanOrEqual(0);
        expect(asked.start).toBeLessThan(asked.end);
        expect(asked.end).toBeLessThanOrEqual(size);
      }),
      RUNS,
    );
  });
});

test('contentRange includes its last byte', () => {
  expect(contentRange({ start: 2, end: 5 }, 10)).toBe('bytes 2-4/10');
});
