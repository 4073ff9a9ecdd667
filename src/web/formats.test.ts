import { expect, test } from 'bun:test';
import { formatTime } from './formats.ts';

test.each([
  ['2026-11-20T12:00:00Z', '2026-11-20T12:00:10Z', 'now'],
  ['2026-11-20T12:00:00Z', '2026-11-20T14:00:00Z', '2 hours ago'],
  ['2026-10-20T12:00:00Z', '2026-11-20T12:00:00Z', /^[A-Z][a-z]+ 20, \d/],
  ['2027-02-25T12:00:00Z', '2026-11-27T12:00:00Z', 'Feb 25, 2027'],
  ['2025-12-25T12:00:00Z', '2026-01-10T12:00:00Z', 'Dec 25, 2025'],
])('the time %s is formatted at %s with its year, unless that is the current one', (time, now, expected) => {
  const formatted = formatTime(time, Date.parse(now));
  if (expected instanceof RegExp) expect(formatted).toMatch(expected);
  else expect(formatted).toBe(expected);
});
