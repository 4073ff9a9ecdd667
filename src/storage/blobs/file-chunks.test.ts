import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshDirectory } from '../../../test/harness/backends.ts';
import { bytesIn } from '../../kernel/content.ts';
import { createBuffers } from './buffers.ts';
import { chunksOfFile } from './file-chunks.ts';
import { systemFiles } from './file-operations.ts';

const CHUNK = 1_000;
const bytes = crypto.getRandomValues(new Uint8Array(3 * CHUNK + 1));
const file = join(freshDirectory(), 'file');
writeFileSync(file, bytes);

/** Reads with buffers of two sizes, keeping one of each size, and records the closed descriptors. */
function reading(read = systemFiles.read) {
  const small = createBuffers(CHUNK, 1);
  const large = createBuffers(2 * CHUNK, 1);
  const spare = [small, large].map((buffers) => {
    const buffer = buffers.take();
    buffers.release(buffer);
    return buffer;
  });
  const closed: number[] = [];
  const close = (descriptor: number) => {
    closed.push(descriptor);
    systemFiles.close(descriptor);
  };
  const unused = () => [small.take(), large.take()];
  return { deps: { files: { ...systemFiles, read, close }, small, large }, closed, spare, unused };
}

test.each([
  [0, 3 * CHUNK + 1],
  [0, CHUNK],
  [CHUNK - 1, CHUNK + 1],
  [7, 7],
])('the bytes %d to %d are those of the file', async (start, end) => {
  const { deps, closed, unused, spare } = reading();
  expect(await bytesIn(chunksOfFile(deps, file, { start, end }))).toEqual(bytes.slice(start, end));
  expect(closed).toHaveLength(1);
  for (const [index, buffer] of unused().entries()) expect(buffer).toBe(spare[index] as Buffer<ArrayBuffer>);
});

test('no chunk needs new memory', async () => {
  const { deps, spare } = reading();
  const memories = new Set<ArrayBufferLike>();
  for await (const chunk of chunksOfFile(deps, file, { start: 0, end: bytes.length }))
    memories.add(chunk.buffer);
  expect(memories.isSubsetOf(new Set<ArrayBufferLike>(spare.map(({ buffer }) => buffer)))).toBe(true);
});

test('only as many fast readers as there are large buffers use them', async () => {
  const { deps } = reading();
  Object.assign(deps, { now: () => 0 });
  const readers = [1, 2].map(() => chunksOfFile(deps, file, { start: 0, end: bytes.length }));
  for (const each of readers) await each.next();
  const lengths = [];
  for (const each of readers) lengths.push((await each.next()).value?.length);
  expect(lengths).toEqual([2 * CHUNK, CHUNK]);
  for (const each of readers) await each.return();
});

test('a slow reader uses no large buffer', async () => {
  const { deps } = reading();
  let now = 0;
  Object.assign(deps, { now: () => now++ });
  const chunks = await Array.fromAsync(
    chunksOfFile(deps, file, { start: 0, end: bytes.length }),
    ({ length }) => length,
  );
  expect(chunks).toEqual([CHUNK, CHUNK, CHUNK, 1]);
});

test('a reader that stops closes the file, and its buffer is used again', async () => {
  const { deps, closed, spare, unused } = reading();
  for await (const _ of chunksOfFile(deps, file, { start: 0, end: bytes.length })) break;
  expect(closed).toHaveLength(1);
  expect(unused()[0]).toBe(spare[0] as Buffer<ArrayBuffer>);
});

test('a read that fails may still write to its buffer, which is not used again', async () => {
  const { deps, closed, spare, unused } = reading(() => Promise.reject(new Error('no response')));
  await expect(bytesIn(chunksOfFile(deps, file, { start: 0, end: 1 }))).rejects.toThrow('no response');
  expect(closed).toHaveLength(1);
  expect(unused()[0]).not.toBe(spare[0] as Buffer<ArrayBuffer>);
});

test('a file that ends early is an error', async () => {
  const { deps, closed } = reading();
  const range = { start: 0, end: bytes.length + 1 };
  await expect(bytesIn(chunksOfFile(deps, file, range))).rejects.toThrow(
    'a file of the store ends at 3001 bytes',
  );
  expect(closed).toHaveLength(1);
});
