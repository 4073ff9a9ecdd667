import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { freshBucket, freshDirectory } from '../../../test/harness/backends.ts';
import { MB } from '../../kernel/bytes.ts';
import { bytesIn, type Content } from '../../kernel/content.ts';
import { Unavailable } from '../../kernel/errors/unavailable.ts';
import { newId } from '../../kernel/ids.ts';
import { openLocalBlobs } from './local.ts';
import { BlobMissing, type Blobs } from './port.ts';
import { openS3Blobs } from './s3.ts';
import { chunksOf } from './stream.ts';

const openers = {
  local: async () => openLocalBlobs(freshDirectory()),
  s3: async () => openS3Blobs({ ...(await freshBucket()), region: 'us-east-1' }),
};

const textOf = async (content: Content) => Buffer.from(await bytesIn(content)).toString();

describe.each(['local', 's3'] as const)('the %s blob store', (kind) => {
  let blobs: Blobs;
  beforeAll(async () => {
    blobs = await openers[kind]();
  });

  async function put(...chunks: (string | Uint8Array)[]): Promise<string> {
    const key = newId();
    const writer = blobs.create(key);
    for (const chunk of chunks) await writer.write(Buffer.from(chunk as string));
    await writer.commit();
    return key;
  }

  async function keys(): Promise<string[]> {
    const found: string[] = [];
    for await (const { key } of blobs.list()) found.push(key);
    return found;
  }

  test('returns the written bytes', async () => {
    const key = await put('some ', 'bytes');
    expect(await textOf(await blobs.read(key, 10))).toBe('some bytes');
    const facts = await blobs.stat(key);
    expect(facts?.size).toBe(10);
    expect(Math.abs((facts?.dateModified ?? 0) - Date.now())).toBeLessThan(60_000);
  });

  test('returns a range', async () => {
    const key = await put('0123456789');
    expect(await textOf(await blobs.read(key, 10, { start: 2, end: 5 }))).toBe('234');
    expect(await textOf(await blobs.read(key, 10, { start: 9, end: 10 }))).toBe('9');
    expect(await textOf(await blobs.read(key, 10, { start: 0, end: 10 }))).toBe('0123456789');
  });

  test('returns transient ranges, of which two are read at once', async () => {
    const blob = { blobKey: await put('0123456789'), sizeBytes: 10 };
    const reads = [2, 5].map((start) => chunksOf(blobs, blob, { start, end: start + 3, isTransient: true }));
    const chunks = await Promise.all(reads.map((read) => read.next()));
    expect(chunks.map(({ value }) => Buffer.from(value ?? '').toString())).toEqual(['234', '567']);
    await Promise.all(reads.map((read) => read.return(undefined)));
  });

  test('writes a blob whose other writers died or still write', async () => {
    const key = newId();
    const [dead, other, writer] = [blobs.create(key), blobs.create(key), blobs.create(key)];
    for (const each of [dead, other, writer]) await each.write(Buffer.alloc(MB, 'a'));
    await writer.commit();
    await other.abort();
    expect(await textOf(await blobs.read(key, MB))).toBe('a'.repeat(MB));
    await dead.abort();
  });

  test('keeps an empty blob', async () => {
    const key = await put();
    expect((await blobs.stat(key))?.size).toBe(0);
    expect(await textOf(await blobs.read(key, 0))).toBe('');
  });

  test('keeps many megabytes exactly, in chunks of any size', async () => {
    const bytes = crypto.getRandomValues(Buffer.alloc(65_536));
    const all = Buffer.concat(Array.from({ length: 20 * 16 + 3 }, (_, index) => bytes.subarray(index % 7)));
    const key = newId();
    const writer = blobs.create(key);
    for (let at = 0, length = 1; at < all.length; at += length, length = Math.min(length * 2 + 1, MB)) {
      await writer.write(all.subarray(at, at + length));
    }
    await writer.commit();
    expect(Buffer.compare(await bytesIn(await blobs.read(key, all.length)), all)).toBe(0);
    const part = await bytesIn(await blobs.read(key, all.length, { start: 9 * MB - 5, end: 17 * MB + 5 }));
    expect(Buffer.compare(part, all.subarray(9 * MB - 5, 17 * MB + 5))).toBe(0);
  });

  test('is not visible before the commit', async () => {
    const key = newId();
    const writer = blobs.create(key);
    await writer.write(Buffer.alloc(3 * MB));
    expect(await blobs.stat(key)).toBeNull();
    expect(await keys()).not.toContain(key);
    await writer.commit();
    expect((await blobs.stat(key))?.size).toBe(3 * MB);
    expect(await keys()).toContain(key);
  });

  test.each([0, 10, 3 * MB, 20 * MB])('an abort after %d bytes leaves nothing', async (size) => {
    const before = await keys();
    const key = newId();
    const writer = blobs.create(key);
    for (let at = 0; at < size; at += MB) await writer.write(Buffer.alloc(Math.min(MB, size - at)));
    await writer.abort();
    await writer.abort();
    expect(await blobs.stat(key)).toBeNull();
    expect(await keys()).toEqual(before);
    expect(await blobs.sweepUnfinished(Date.now() + 1_000)).toBe(0);
  });

  test('an abort after the commit does nothing', async () => {
    const key = newId();
    const writer = blobs.create(key);
    await writer.write(Buffer.from('kept'));
    await writer.commit();
    await writer.abort();
    expect(await textOf(await blobs.read(key, 4))).toBe('kept');
  });

  test('deletes, even repeatedly', async () => {
    const key = await put('gone');
    expect(await textOf(await blobs.read(key, 4, { start: 1, end: 3 }))).toBe('on');
    await blobs.delete(key);
    await blobs.delete(key);
    expect(await blobs.stat(key)).toBeNull();
    expect(async () => await blobs.read(key, 4)).toThrow(BlobMissing);
    expect(async () => await blobs.read(key, 4, { start: 1, end: 3 })).toThrow(BlobMissing);
  });

  test('lists every blob with its size', async () => {
    const wanted = [await put('1'), await put('22')];
    const found = new Map<string, number>();
    for await (const { key, size } of blobs.list()) found.set(key, size);
    expect(wanted.map((key) => found.get(key))).toEqual([1, 2]);
  });

  test.each([
    ['there is none', newId(), 4],
    ['there is none and none is expected', newId(), 0],
  ])('reading fails before the first byte when %s', async (_, key, size) => {
    expect(async () => await blobs.read(key, size)).toThrow(BlobMissing);
  });

  test.each([3, 5, 0])('reading a blob of 4 bytes as one of %d fails before the first byte', async (size) => {
    const key = await put('four');
    for (const range of [undefined, { start: 0, end: 2 }])
      expect(async () => await blobs.read(key, size, range)).toThrow(BlobMissing);
  });

  test('passes its probe', async () => {
    await blobs.probe();
  });
});

test('an unfinished local blob has a temporary name, and is swept after its writer died', async () => {
  const directory = freshDirectory();
  const blobs = openLocalBlobs(directory);
  await blobs.create(newId()).write(Buffer.alloc(MB));
  const unfinished = () => readdirSync(join(directory, 'unfinished'));
  for (let tries = 0; unfinished().length === 0 && tries < 1_000; tries++) await new Promise(setImmediate);
  expect(unfinished()).toEqual([expect.any(String)]);
  expect(await blobs.sweepUnfinished(Date.now() - 60_000)).toBe(0);
  expect(await blobs.sweepUnfinished(Date.now() + 1_000)).toBe(1);
  expect(unfinished()).toEqual([]);
});

describe('a local store of which something was removed', () => {
  let directory: string;
  let blobs: Blobs;
  beforeEach(() => {
    directory = freshDirectory();
    blobs = openLocalBlobs(directory);
  });
  const path = (name: string) => join(directory, name);
  const write = async (key: string) => {
    const writer = blobs.create(key);
    await writer.write(Buffer.from('bytes'));
    return writer;
  };
  const put = async (key: string) => (await write(key)).commit();
  const keyEnding = (end: string) => `${newId().slice(0, -2)}${end}`;

  test('creates its folders again', async () => {
    await put(keyEnding('ab'));
    rmSync(path('ab'), { recursive: true });
    const key = keyEnding('ab');
    await put(key);
    rmSync(path('unfinished'), { recursive: true });
    await put(keyEnding('cd'));
    rmSync(path('unfinished'), { recursive: true });
    expect(await blobs.stat(newId())).toBeNull();
    rmSync(path('unfinished'), { recursive: true });
    expect(await blobs.sweepUnfinished(0)).toBe(0);
    rmSync(path('unfinished'), { recursive: true });
    await blobs.probe();
    expect(await textOf(await blobs.read(key, 5))).toBe('bytes');
    expect(readdirSync(directory).toSorted()).toEqual(['ab', 'cd', 'unfinished']);
  });

  test('refuses an upload whose file was removed with its folder', async () => {
    const large = await write(newId());
    await large.write(Buffer.alloc(2 * MB));
    const small = await write(newId());
    rmSync(path('unfinished'), { recursive: true });
    await expect(large.commit()).rejects.toBeInstanceOf(Unavailable);
    await large.abort();
    // Its file had not been created.
    await small.commit();
  });

  test.each([
    ['removed', () => {}],
    ['replaced by an empty one', () => mkdirSync(directory)],
  ])('stays unavailable when its directory is %s', async (_, replace) => {
    await put(keyEnding('ab'));
    const [begun, other] = [await write(keyEnding('ab')), await write(keyEnding('cd'))];
    renameSync(directory, `${directory}.away`);
    replace();
    for (const writer of [begun, other, await write(newId())])
      await expect(writer.commit()).rejects.toBeInstanceOf(Unavailable);
    await expect(blobs.probe()).rejects.toBeInstanceOf(Unavailable);
    await expect(blobs.sweepUnfinished(0)).rejects.toBeInstanceOf(Unavailable);
    expect(existsSync(directory) ? readdirSync(directory) : []).toEqual([]);
    rmSync(directory, { recursive: true, force: true });
    renameSync(`${directory}.away`, directory);
    await put(keyEnding('ab'));
  });
});

test('a store that is not writable fails its probe', async () => {
  const blobs = openS3Blobs({
    ...(await freshBucket()),
    region: 'us-east-1',
    bucket: 'none',
    accessKeyId: 'wrong',
  });
  expect(async () => await blobs.probe()).toThrow();
});

// Open files are counted by /proc, which only Linux has.
test.skipIf(process.platform !== 'linux')(
  'a local store that read ranges of many files keeps few of them open',
  async () => {
    const blobs = openLocalBlobs(freshDirectory());
    const open = () => readdirSync('/proc/self/fd').length;
    const before = open();
    for (let count = 0; count < 300; count++) {
      const key = newId();
      const writer = blobs.create(key);
      await writer.write(Buffer.from(`file ${count}`));
      await writer.commit();
      const range = { start: 5, end: 5 + String(count).length };
      expect(await textOf(await blobs.read(key, range.end, range))).toBe(String(count));
    }
    // Those of the cache.
    expect(open() - before).toBeLessThan(64 + 10);
  },
);

test('a local store reads one transient range after another into the same memory', async () => {
  const blobs = openLocalBlobs(freshDirectory());
  const writer = blobs.create('a'.repeat(32));
  await writer.write(Buffer.from('0123456789'));
  await writer.commit();
  const memory = new Set<ArrayBufferLike>();
  for (const start of [0, 3, 6]) {
    const range = { start, end: start + 3, isTransient: true };
    for await (const chunk of chunksOf(blobs, { blobKey: 'a'.repeat(32), sizeBytes: 10 }, range))
      memory.add(chunk.buffer);
  }
  expect(memory.size).toBe(1);
});
