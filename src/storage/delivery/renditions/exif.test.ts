import { expect, test } from 'bun:test';
import { parseLocalTime } from './exif.ts';

test('a local time of a video must be a time that exists', () => {
  expect(parseLocalTime('2019-07-04T12:34:56')).toBe(Date.UTC(2019, 6, 4, 12, 34, 56));
  for (const text of ['2019-02-31T12:00:00', '2019-13-01T12:00:00', '2019-07-04T24:00:00', '2019-07-04', ''])
    expect(parseLocalTime(text)).toBeNaN();
});
