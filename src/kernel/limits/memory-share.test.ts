import { expect, test } from 'bun:test';
import { MB } from '../bytes.ts';
import { memoryShare } from './memory-share.ts';

test.each([
  [24_576 * MB, 288],
  [2_048 * MB, 128],
  [512 * MB, 72],
  [0, 72],
])('with %d bytes of memory, a limit is %d MB', (available, megabytes) => {
  const limit = memoryShare({ share: 1 / 16, least: 72 * MB, most: 288 * MB }, available);
  expect(limit).toBe(megabytes * MB);
});
