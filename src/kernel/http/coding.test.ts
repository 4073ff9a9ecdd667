import { expect, test } from 'bun:test';
import { DECODERS } from '../../../test/harness/coded.ts';
import { CODINGS, chooseCoding, encode } from './coding.ts';

test.each([
  [undefined, null],
  ['', null],
  ['identity', null],
  ['gzip, deflate, br, zstd', 'zstd'],
  ['gzip, deflate, br', 'br'],
  ['GZIP', 'gzip'],
  ['deflate', null],
  ['zstd;q=0.5, gzip;q=0.8', 'gzip'],
  ['zstd;q=0, br;q=0', null],
  ['zstd; q=0, *', 'br'],
  ['*;q=0', null],
  ['*', 'zstd'],
  ['gzip;q=0.5, identity', null],
  ['gzip, identity;q=0.5', 'gzip'],
  ['gzip, identity', 'gzip'],
  ['gzip;q=nonsense', null],
] as const)('of “%s” chooses %p', (header, coding) => {
  expect(chooseCoding(header)).toBe(coding);
});

test.each(CODINGS)('%s of short and long bytes', async (coding) => {
  for (const length of [1_024, 16_384, 16_385, 500_000]) {
    const bytes = new Uint8Array(Buffer.from('0123456789abcdef'.repeat(length / 16 + 1).slice(0, length)));
    const coded = await encode(bytes, coding);
    expect(coded.length).toBeLessThan(length / 4);
    expect(Buffer.from(DECODERS[coding]?.(new Uint8Array(coded)) ?? '').equals(bytes)).toBe(true);
  }
});
