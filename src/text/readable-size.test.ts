import { expect, test } from 'bun:test';
import { readableSize } from './readable-size.ts';

test('sizes have binary units, and at most three digits and one decimal', () => {
  const sizes = [0, 999, 1_000, 1_024, 1_572_864, 104_857_600, 209_715_200, 2 ** 31, 2 ** 50];
  expect(sizes.map((size) => readableSize(size))).toEqual([
    '0 B',
    '999 B',
    '1 KiB',
    '1 KiB',
    '1.5 MiB',
    '100 MiB',
    '200 MiB',
    '2 GiB',
    '1,024 TiB',
  ]);
});
