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

/** Reads with buffers of which one is kept, and records the closed descriptors. */
function reading(read = systemFiles.read) {
  const buffers = createBuffers(CHUNK, 1);
  const spare = buffers.take();
  buffers.release(spare);
  const closed: number[] = [];
  const close = (descriptor: number) => {
    closed.push(descriptor);
    systemFiles.close(descriptor);
  };
  return { deps: { files: { ...systemFiles, read, close }, buffers }, closed, spare, buffers };
}

test.each([
  [0, 3 * CHUNK + 1],
  [0, CHUNK],
  [CHUNK - 1, CHUNK + 1],
  [7, 7],
])('the bytes %d to %d are those of the file', async (start, end) => {
  const { deps, closed, buffers, spare } = reading();
  expect(await bytesIn(chunksOfFile(deps, file, { start, end }))).toEqual(bytes.slice(start, end));
  expect(closed).toHaveLength(1);
  expect(buffers.take()).toBe(spare);
});

test('all chunks of a file are in one buffer', async () => {
  const { deps, spare } = reading();
  const memories = new Set<ArrayBufferLike>();
  for await (const chunk of chunksOfFile(deps, file, { start: 0, end: bytes.length }))
    memories.add(chunk.buffer);
  expect(memories).toEqual(new Set([spare.buffer]));
});

test('a reader that stops closes the file, and its buffer is used again', async () => {
  const { deps, closed, spare, buffers } = reading();
  for await (const _ of chunksOfFile(deps, file, { start: 0, end: bytes.length })) break;
  expect(closed).toHaveLength(1);
  expect(buffers.take()).toBe(spare);
});

test('a read that fails may still write to its buffer, which is not used again', async () => {
  const { deps, closed, spare, buffers } = reading(() => Promise.reject(new Error('no response')));
  await expect(bytesIn(chunksOfFile(deps, file, { start: 0, end: 1 }))).rejects.toThrow('no response');
  expect(closed).toHaveLength(1);
  expect(buffers.take()).not.toBe(spare);
});

test('a file that ends early is an error', async () => {
  const { deps, closed } = reading();
  const range = { start: 0, end: bytes.length + 1 };
  await expect(bytesIn(chunksOfFile(deps, file, range))).rejects.toThrow(
    'a file of the store ends at 3001 bytes',
  );
  expect(closed).toHaveLength(1);
});
