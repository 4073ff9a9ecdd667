import { expect, test } from 'bun:test';
import { type BlobFacts, BlobMissing, type Blobs } from './port.ts';
import { keepSmall } from './small.ts';

/** A store that counts what it is asked for. */
function countingStore(contents: Record<string, string>) {
  const asked: string[] = [];
  const store: Pick<Blobs, 'read' | 'stat'> = {
    read(key, size, range) {
      asked.push(`read ${key}`);
      const text = contents[key];
      if (text?.length !== size) throw new BlobMissing(key);
      return new Blob([text.slice(range?.start, range?.end)]);
    },
    async stat(key): Promise<BlobFacts | null> {
      asked.push(`stat ${key}`);
      return { size: contents[key]?.length ?? 0, dateModified: 1 };
    },
  };
  return { asked, reader: keepSmall(store as Blobs) };
}

const text = async (body: ReturnType<Blobs['read']>) => await new Response(await body).text();

test('what is asked for again is read once more and then kept', async () => {
  const { asked, reader } = countingStore({ a: 'words' });
  for (let index = 0; index < 5; index++) expect(await text(reader.read('a', 5))).toBe('words');
  expect(await text(reader.read('a', 5, { start: 1, end: 3 }))).toBe('or');
  expect(asked).toEqual(['read a', 'read a']);
  await reader.stat('a');
  expect(await reader.stat('a')).toEqual({ size: 5, dateModified: 1 });
  expect(asked).toEqual(['read a', 'read a', 'stat a']);
});

test('a range of what is not kept yet is that range', async () => {
  const { reader } = countingStore({ a: 'words' });
  for (let index = 0; index < 3; index++) expect(await text(reader.read('a', 5, { start: 0, end: 2 }))).toBe('wo');
});

test('large ones go straight through', async () => {
  const large = 'x'.repeat(200_000);
  const { asked, reader } = countingStore({ large });
  for (let index = 0; index < 4; index++) await reader.read('large', large.length);
  expect(asked).toHaveLength(4);
});

test('the ones used longest ago make room', async () => {
  const contents = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, 'x'.repeat(100_000)]));
  const { asked, reader } = countingStore(contents);
  for (const key of Object.keys(contents)) for (let index = 0; index < 3; index++) await reader.read(key, 100_000);
  asked.length = 0;
  await reader.read('k299', 100_000);
  expect(asked).toEqual([]);
  await reader.read('k0', 100_000);
  expect(asked).toEqual(['read k0']);
});

test('one that is not there, or has another size than its row says, is missing each time', async () => {
  const { reader } = countingStore({ a: 'words' });
  for (let index = 0; index < 3; index++) await reader.read('a', 5);
  for (let index = 0; index < 3; index++) {
    expect(async () => await reader.read('a', 4)).toThrow(BlobMissing);
    expect(async () => await reader.read('b', 4)).toThrow(BlobMissing);
  }
});
