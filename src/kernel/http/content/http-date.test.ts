import { describe, expect, test } from 'bun:test';
import { fc } from '../../../../test/harness/properties.ts';
import { httpDate, parseHttpDate } from './http-date.ts';

const clock = { now: () => Date.UTC(2026, 10, 21, 12) };
const SAME = 'Sun, 06 Nov 1994 08:49:37 GMT';

describe('HTTP dates', () => {
  test.each([
    [SAME, 784_111_777],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 784_111_777],
    ['Sun Nov  6 08:49:37 1994', 784_111_777],
    ['Sun Nov 16 08:49:37 1994', 784_975_777],
    ['Sat, 01 Jan 2000 00:00:00 GMT', 946_684_800],
    ['Thu, 29 Feb 2024 23:59:59 GMT', 1_709_251_199],
    ['Sat, 31 Dec 2016 23:59:60 GMT', 1_483_228_800],
    [`  ${SAME} `, 784_111_777],
  ])('%p', (text, seconds) => {
    expect(parseHttpDate(text, clock)).toBe(seconds);
  });

  test.each([
    ['1994-11-06'],
    ['784111777'],
    ['Sun, 06 Foo 1994 08:49:37 GMT'],
    ['Sun, 31 Feb 1994 08:49:37 GMT'],
    ['Sun, 00 Feb 1994 08:49:37 GMT'],
    ['Wed, 29 Feb 2023 08:49:37 GMT'],
    ['Sun, 06 Nov 1994 24:00:00 GMT'],
    ['Sun, 06 Nov 1994 08:60:00 GMT'],
    ['Sun, 06 Nov 1994 08:49:61 GMT'],
    ['Sun, 06 Nov 0094 08:49:37 GMT'],
    ['Sun, 06 Nov 1994 08:49:37 CET'],
    [`${SAME} and more`],
    [`x ${SAME}`],
    [''],
    [null],
    [undefined],
  ])('%p is invalid', (text) => {
    expect(parseHttpDate(text, clock)).toBeNull();
  });

  // RFC 9110 §5.6.7: more than 50 years in the future means the past.
  test.each([
    ['26', '2026-11-21T12:00', 2026],
    ['75', '2026-11-21T12:00', 2075],
    ['76', '2026-11-21T12:00', 2076],
    ['76', '2026-11-21T11:59', 1976],
    ['77', '2026-11-21T12:00', 1977],
    ['99', '2026-11-21T12:00', 1999],
    ['00', '2026-11-21T12:00', 2000],
    ['10', '2060-01-01T00:00', 2110 - 100],
    ['10', '2060-12-31T00:00', 2110],
    ['59', '2060-12-31T00:00', 2059],
    ['99', '2060-12-31T00:00', 2099],
  ])('the year %s at %s is %d', (digits, now, year) => {
    const at = { now: () => Date.parse(`${now}:00Z`) };
    const date = `Tuesday, 21-Nov-${digits} 12:00:00 GMT`;
    expect(parseHttpDate(date, at)).toBe(Date.UTC(year, 10, 21, 12) / 1000);
  });

  test('every second survives formatting and parsing', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 253_402_300_799 }), (seconds) => {
        expect(parseHttpDate(httpDate(seconds * 1000))).toBe(seconds);
      }),
      { numRuns: 1_000 },
    );
  });
});
