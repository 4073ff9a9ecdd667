import { describe, expect, mock, test } from 'bun:test';
import { fc } from '../../../../test/harness/properties.ts';
import { layOutZip, PathTooLong, type Zip, type ZipEntry, zipTag } from './zip.ts';

interface TestEntry extends ZipEntry {
  bytes: Uint8Array;
}

function entry(
  path: string,
  content: string | Uint8Array,
  modified = Date.UTC(2024, 1, 29, 12, 34, 56),
): TestEntry {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return { path, bytes, size: bytes.length, crc32: Bun.hash.crc32(bytes), modified };
}

async function* open(member: TestEntry, start: number, end: number): AsyncGenerator<Uint8Array> {
  const middle = (start + end) >> 1;
  if (middle > start) yield member.bytes.subarray(start, middle);
  yield member.bytes.subarray(middle, end);
}

async function gather(zip: Zip, start = 0, end = zip.length): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of zip.read(start, end)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe('layOutZip', () => {
  test('yields between members whose bytes are available at once', async () => {
    const giveWay = mock(() => undefined);
    const entries = Array.from({ length: 50 }, (_, index) => entry(`${index}`, 'text'));
    const zip = await layOutZip<TestEntry>(entries, open, giveWay);
    giveWay.mockClear();
    await gather(zip);
    expect(giveWay.mock.calls.length).toBeGreaterThan(entries.length);
  });

  test('an empty archive is only an end record', async () => {
    const zip = await layOutZip<TestEntry>([], open);
    expect(zip.length).toBe(22);
    expect((await gather(zip)).readUInt32LE(0)).toBe(0x06054b50);
  });

  test('any range of any archive is that slice of the whole', async () => {
    const member = fc
      .record({
        path: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
        bytes: fc.uint8Array({ maxLength: 200 }),
        modified: fc.integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(2120, 0, 1) }),
      })
      .map(({ path, bytes, modified }) => entry(path, bytes, modified));
    await fc.assert(
      fc.asyncProperty(fc.array(member, { maxLength: 8 }), fc.nat(), fc.nat(), async (entries, a, b) => {
        const zip = await layOutZip(entries, open);
        const whole = await gather(zip);
        expect(whole.length).toBe(zip.length);
        const [start = 0, end = 0] = [a % (zip.length + 1), b % (zip.length + 1)].sort((x, y) => x - y);
        expect((await gather(zip, start, end)).equals(whole.subarray(start, end))).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  test('a range reads only the bytes of the members in it', async () => {
    const opened: string[] = [];
    const zip = await layOutZip(
      [entry('a', 'A'.repeat(100)), entry('b', 'B'.repeat(100)), entry('c', 'C'.repeat(100))],
      (member, start, end) => {
        opened.push(`${member.path} ${start}-${end}`);
        return open(member, start, end);
      },
    );
    const whole = await gather(zip);
    const first = whole.indexOf('B'.repeat(100));
    opened.length = 0;
    await gather(zip, first + 90, first + 110);
    expect(opened).toEqual(['b 90-100']);
    opened.length = 0;
    await gather(zip, first + 100, whole.indexOf('C'.repeat(100)));
    await gather(zip, whole.lastIndexOf('C') + 1, zip.length);
    expect(opened).toEqual([]);
  });

  test('a member with too few, too many or no bytes fails the read', async () => {
    const wrong = (bytes: string) =>
      layOutZip([entry('a', 'four')], () => open(entry('a', bytes), 0, bytes.length));
    await expect(gather(await wrong('few'))).rejects.toThrow('fewer bytes');
    await expect(gather(await wrong('many more'))).rejects.toThrow('more bytes');
    const missing = await layOutZip([entry('a', 'four')], () => Promise.reject(new Error('no such blob')));
    await expect(gather(missing)).rejects.toThrow('no such blob');
  });

  test('rejects a path that is too long', async () => {
    await expect(layOutZip([entry('ü'.repeat(32_768), '')], open)).rejects.toThrow(PathTooLong);
    expect((await layOutZip([entry('x'.repeat(65_535), '')], open)).length).toBeGreaterThan(131_070);
  });

  test('the directory of 100,000 members past 4 GiB is never completely in memory', async () => {
    const entries = Array.from({ length: 100_000 }, (_, index) => ({
      path: `folder/file ${index}.bin`,
      size: 1e6,
      crc32: 0,
      modified: 0,
    }));
    const zip = await layOutZip(entries, () => Promise.reject(new Error('not to be opened')));
    const directoryOffset = entries.reduce((sum, { path, size }) => sum + 30 + path.length + 9 + size, 0);
    let largest = 0;
    let size = 0;
    for await (const chunk of zip.read(directoryOffset, zip.length)) {
      largest = Math.max(largest, chunk.length);
      if (size === 0) expect(Buffer.from(chunk).readUInt32LE(0)).toBe(0x02014b50);
      size += chunk.length;
    }
    expect(largest).toBeLessThan(66_000);
    expect(directoryOffset + size).toBe(zip.length);
  });
});

describe('zipTag', () => {
  const first = { ...entry('a', 'x'), sha256: '1' };
  test('is the same for the same entries and another for every change', async () => {
    const all = [
      [first],
      [{ ...first, path: 'b' }],
      [{ ...first, size: 2 }],
      [{ ...first, crc32: 7 }],
      [{ ...first, modified: 0 }],
      [{ ...first, sha256: '2' }],
      [first, first],
      [],
    ];
    const tags = await Promise.all(all.map((entries) => zipTag(entries)));
    expect(new Set(tags).size).toBe(tags.length);
    expect(await zipTag([{ ...first }])).toBe(tags[0] ?? '');
    expect(tags[0]).toMatch(/^"[\w-]{32}"$/);
  });
});
