import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { coalesce } from './coalesce.ts';

/** Merges the texts as chunks of one buffer, and reads each result before the next is requested. */
async function merged(texts: readonly string[], most: number, first = most): Promise<string[]> {
  async function* chunks() {
    const buffer = Buffer.alloc(8);
    for (const text of texts) yield buffer.subarray(0, buffer.write(text));
  }
  return await Array.fromAsync(coalesce(chunks(), { first, most }), (chunk) => Buffer.from(chunk).toString());
}

test('small chunks are copied into larger ones', async () => {
  expect(await merged(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'], 8)).toEqual(['abcdefgh', 'i']);
});

test('large chunks are passed on in order', async () => {
  expect(await merged(['a', 'bb', 'c', 'd', 'eeee', 'f'], 8)).toEqual(['a', 'bb', 'cd', 'eeee', 'f']);
});

test('the first chunk is short, and each following one twice as long', async () => {
  const texts = await merged('x'.repeat(100).split(''), 32, 8);
  expect(texts.map(({ length }) => length)).toEqual([8, 16, 32, 32, 12]);
});

test('no chunk is larger than the size', async () => {
  expect(await merged(['aaa', 'bbb', 'ccc', 'ddd'], 8)).toEqual(['aaa', 'bbb', 'ccc', 'ddd']);
  expect(await merged(['aaa', 'bbb', 'cc', 'ddd'], 16)).toEqual(['aaabbbccddd']);
});

test('no chunks remain no chunks', async () => {
  expect(await merged([], 8)).toEqual([]);
});

test('the bytes are the same, in few chunks', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ maxLength: 30 }), { maxLength: 20 }),
      fc.integer({ min: 1, max: 40 }),
      async (given, size) => {
        async function* chunks() {
          const buffer = new Uint8Array(30);
          for (const chunk of given) {
            buffer.set(chunk);
            yield buffer.subarray(0, chunk.length);
          }
        }
        const results = await Array.fromAsync(coalesce(chunks(), { first: size, most: size }), (chunk) =>
          Buffer.from(chunk),
        );
        expect(Buffer.concat(results).equals(Buffer.concat(given))).toBe(true);
        for (const [index, { length }] of results.entries()) {
          const next = results[index + 1];
          if (next) expect(Math.max(length, next.length)).toBeGreaterThanOrEqual(size / 4);
        }
      },
    ),
    { numRuns: 1_000 },
  );
});
