import { expect, test } from 'bun:test';
import { bytesIn } from '../../kernel/content.ts';
import { type BlobFacts, BlobMissing, type Blobs } from './port.ts';
import { keepSmall } from './small.ts';

/** A store that counts calls. */
function countingStore(contents: Record<string, string>) {
  const calls: string[] = [];
  const store: Pick<Blobs, 'read' | 'stat'> = {
    read(key, size, range) {
      calls.push(`read ${key}`);
      const text = contents[key];
      if (text?.length !== size) throw new BlobMissing(key);
      return new TextEncoder().encode(text.slice(range?.start, range?.end));
    },
    async stat(key): Promise<BlobFacts | null> {
      calls.push(`stat ${key}`);
      return { size: contents[key]?.length ?? 0, dateModified: 1 };
    },
  };
  return { calls, reader: keepSmall(store as Blobs) };
}

const text = async (body: ReturnType<Blobs['read']>) => Buffer.from(await bytesIn(await body)).toString();

test('a blob is kept after its second read', async () => {
  const { calls, reader } = countingStore({ a: 'words' });
  for (let index = 0; index < 5; index++) expect(await text(reader.read('a', 5))).toBe('words');
  expect(await text(reader.read('a', 5, { start: 1, end: 3 }))).toBe('or');
  expect(calls).toEqual(['read a', 'read a']);
  await reader.stat('a');
  expect(await reader.stat('a')).toEqual({ size: 5, dateModified: 1 });
  expect(calls).toEqual(['read a', 'read a', 'stat a']);
});

test('a range of a blob that is not kept is read from the store', async () => {
  const { reader } = countingStore({ a: 'words' });
  for (let index = 0; index < 3; index++)
    expect(await text(reader.read('a', 5, { start: 0, end: 2 }))).toBe('wo');
});

test('the facts of a blob that is not kept come from the store', async () => {
  const { reader } = countingStore({ a: 'words' });
  expect(await reader.stat('a')).toEqual({ size: 5, dateModified: 1 });
});

test.each([
  [131_072, 2],
  [131_073, 4],
])('four reads of a blob, of %d bytes, are %d reads of the store', async (size, reads) => {
  const { calls, reader } = countingStore({ a: 'x'.repeat(size) });
  for (let index = 0; index < 4; index++) await text(reader.read('a', size));
  expect(calls).toHaveLength(reads);
});

test('large blobs are not kept', async () => {
  const large = 'x'.repeat(200_000);
  const { calls, reader } = countingStore({ large });
  for (let index = 0; index < 4; index++) await reader.read('large', large.length);
  expect(calls).toHaveLength(4);
});

test('the least recently used blobs are dropped', async () => {
  const contents = Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [`k${index}`, 'x'.repeat(100_000)]),
  );
  const { calls, reader } = countingStore(contents);
  for (const key of Object.keys(contents))
    for (let index = 0; index < 3; index++) await reader.read(key, 100_000);
  calls.length = 0;
  await reader.read('k299', 100_000);
  expect(calls).toEqual([]);
  await reader.read('k0', 100_000);
  expect(calls).toEqual(['read k0']);
});

test('a key read once is dropped after thousands of others', async () => {
  const { calls, reader } = countingStore({ a: 'words' });
  await reader.read('a', 5);
  for (let index = 0; index < 4_200; index++)
    expect(() => reader.read(`other ${index}`, 5)).toThrow(BlobMissing);
  calls.length = 0;
  for (let index = 0; index < 3; index++) expect(await text(reader.read('a', 5))).toBe('words');
  expect(calls).toEqual(['read a', 'read a']);
});

test('a blob that is missing or has another size is missing on each read', async () => {
  const { reader } = countingStore({ a: 'words' });
  for (let index = 0; index < 3; index++) await reader.read('a', 5);
  for (let index = 0; index < 3; index++) {
    expect(async () => await reader.read('a', 4)).toThrow(BlobMissing);
    expect(async () => await reader.read('b', 4)).toThrow(BlobMissing);
  }
});
