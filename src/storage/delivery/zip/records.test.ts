import { describe, expect, test } from 'bun:test';
import {
  centralHeader,
  centralHeaderSize,
  endRecords,
  FOUR_BYTES_FULL,
  localHeader,
  localHeaderSize,
  type ZipEntry,
} from './records.ts';

/** Returns the bytes of little-endian fields, each `[bytes, value]`. */
function bytes(...fields: readonly (readonly [width: number, value: number])[]): string {
  return fields
    .map(([width, value]) => {
      const field = Buffer.alloc(8);
      field.writeBigUInt64LE(BigInt(value));
      return field.toString('hex', 0, width);
    })
    .join('');
}

// 2001-02-03 04:05:06 UTC; DOS: seconds are halved, the year counts from 1980.
const MODIFIED = Date.UTC(2001, 1, 3, 4, 5, 6);
const DOS_TIME = (4 << 11) | (5 << 5) | 3;
const DOS_DATE = (21 << 9) | (2 << 5) | 3;
const LONG_AGO = Date.UTC(1900, 0, 1);
const FIRST_DOS_DATE = (1 << 5) | 1;

const file: ZipEntry = { path: 'é', size: 7, crc32: 0xdead_beef, modified: MODIFIED };
const folder: ZipEntry = { path: 'f/', size: 0, crc32: 0, modified: MODIFIED };
const large: ZipEntry = { ...file, size: FOUR_BYTES_FULL };
const old: ZipEntry = { ...file, modified: LONG_AGO };

const PATH = [2, 0xa9c3] as const;
const TIMESTAMP = [
  [2, 0x5455],
  [2, 5],
  [1, 1],
  [4, MODIFIED / 1000],
] as const;

/** The fields that both headers share, APPNOTE §4.3.7. */
const common = ({ crc32, size, modified }: ZipEntry, version: number) =>
  [
    [2, version],
    [2, 0x800],
    [2, 0],
    [2, modified === MODIFIED ? DOS_TIME : 0],
    [2, modified === MODIFIED ? DOS_DATE : FIRST_DOS_DATE],
    [4, crc32],
    [4, size],
    [4, size],
  ] as const;

describe('localHeader', () => {
  const start = [4, 0x04034b50] as const;
  const lengths = (extra: number) =>
    [
      [2, 2],
      [2, extra],
    ] as const;

  test.each([
    ['a file', file, 0, bytes(start, ...common(file, 10), ...lengths(9), PATH, ...TIMESTAMP)],
    ['a folder', folder, 0, bytes(start, ...common(folder, 20), ...lengths(9), [2, 0x2f66], ...TIMESTAMP)],
    ['a file from before 1901', old, 0, bytes(start, ...common(old, 10), ...lengths(0), PATH)],
    [
      'a file of 4 GiB',
      large,
      0,
      bytes(
        start,
        ...common(large, 45),
        ...lengths(29),
        PATH,
        [2, 1],
        [2, 16],
        [8, large.size],
        [8, large.size],
        ...TIMESTAMP,
      ),
    ],
  ])('of %s', (_, entry, offset, expected) => {
    const header = localHeader(entry, offset);
    expect(header.toString('hex')).toBe(expected);
    expect(localHeaderSize(entry, 2)).toBe(header.length);
  });
});

describe('centralHeader', () => {
  const start = [
    [4, 0x02014b50],
    [2, 0x032d],
  ] as const;
  const rest = (extra: number, mode: number, offset: number) =>
    [
      [2, 2],
      [2, extra],
      [2, 0],
      [2, 0],
      [2, 0],
      [4, mode],
      [4, offset],
    ] as const;
  const FILE = 0x81a4_0000;

  test.each([
    ['a file', file, 5, bytes(...start, ...common(file, 10), ...rest(9, FILE, 5), PATH, ...TIMESTAMP)],
    [
      'a folder',
      folder,
      5,
      bytes(...start, ...common(folder, 20), ...rest(9, 0x41ed_0010, 5), [2, 0x2f66], ...TIMESTAMP),
    ],
    [
      'a file of 4 GiB beyond 4 GiB',
      large,
      2 ** 33,
      bytes(
        ...start,
        ...common(large, 45),
        ...rest(37, FILE, FOUR_BYTES_FULL),
        PATH,
        [2, 1],
        [2, 24],
        [8, large.size],
        [8, large.size],
        [8, 2 ** 33],
        ...TIMESTAMP,
      ),
    ],
    [
      'a file at 4 GiB',
      file,
      FOUR_BYTES_FULL,
      bytes(
        ...start,
        ...common(file, 45),
        ...rest(21, FILE, FOUR_BYTES_FULL),
        PATH,
        [2, 1],
        [2, 8],
        [8, FOUR_BYTES_FULL],
        ...TIMESTAMP,
      ),
    ],
  ])('of %s', (_, entry, offset, expected) => {
    const header = centralHeader(entry, offset);
    expect(header.toString('hex')).toBe(expected);
    expect(centralHeaderSize(entry, offset, 2)).toBe(header.length);
  });
});

describe('endRecords', () => {
  const classic = (count: number, size: number, offset: number) =>
    [
      [4, 0x06054b50],
      [4, 0],
      [2, count],
      [2, count],
      [4, size],
      [4, offset],
      [2, 0],
    ] as const;

  test('are the classic record alone below its limits', () => {
    expect(endRecords(0xfffe, FOUR_BYTES_FULL - 1, FOUR_BYTES_FULL - 2).toString('hex')).toBe(
      bytes(...classic(0xfffe, FOUR_BYTES_FULL - 2, FOUR_BYTES_FULL - 1)),
    );
  });

  test.each([
    [0xffff, 10, 20],
    [3, FOUR_BYTES_FULL, 20],
    [3, 10, FOUR_BYTES_FULL],
    [70_000, 2 ** 34, 2 ** 33],
  ])('have ZIP64 records for %d members, a directory at %d of %d bytes', (count, offset, size) => {
    const expected = bytes(
      [4, 0x06064b50],
      [8, 44],
      [2, 0x032d],
      [2, 45],
      [8, 0],
      [8, count],
      [8, count],
      [8, size],
      [8, offset],
      [4, 0x07064b50],
      [4, 0],
      [8, offset + size],
      [4, 1],
      ...classic(Math.min(count, 0xffff), Math.min(size, FOUR_BYTES_FULL), Math.min(offset, FOUR_BYTES_FULL)),
    );
    expect(endRecords(count, offset, size).toString('hex')).toBe(expected);
  });
});

test.each([
  [Date.UTC(1979, 11, 31), 0, FIRST_DOS_DATE],
  [Date.UTC(1980, 0, 1, 0, 0, 2), 1, FIRST_DOS_DATE],
  [Date.UTC(2107, 11, 31, 23, 59, 59), (23 << 11) | (59 << 5) | 29, (127 << 9) | (12 << 5) | 31],
  [Date.UTC(2108, 0, 1), (23 << 11) | (59 << 5) | 29, (127 << 9) | (12 << 5) | 31],
])('a time of %d ms is within the range of MS-DOS', (modified, time, date) => {
  const header = localHeader({ ...file, modified }, 0);
  expect([header.readUInt16LE(10), header.readUInt16LE(12)]).toEqual([time, date]);
});

test.each([
  [-0x8000_0000, 9],
  [-0x8000_0001, 0],
  [0x7fff_ffff, 9],
  [0x8000_0000, 0],
])('a time of %d seconds has an extended timestamp of %d bytes', (seconds, extra) => {
  const header = localHeader({ ...file, modified: seconds * 1000 + 999 }, 0);
  expect(header.readUInt16LE(28)).toBe(extra);
  if (extra > 0) expect(header.readInt32LE(header.length - 4)).toBe(seconds);
});
