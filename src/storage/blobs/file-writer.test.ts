import { describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { freshDirectory } from '../../../test/harness/backends.ts';
import { until } from '../../../test/harness/until.ts';
import { MB } from '../../kernel/bytes.ts';
import { type Buffers, createBuffers } from './buffers.ts';
import { type FileOperations, systemFiles } from './file-operations.ts';
import { createFileWriter } from './file-writer.ts';
import { openLocalBlobs } from './local.ts';

const KEY = '0199c0de-0000-7000-8000-0000000000ab';
const TEMPORARY = 'unfinished/NEW';
const TARGET = `ab/${KEY}`;

/**
 * A local store whose calls are recorded, as `call path`, when they end. `fail` names calls that fail instead,
 * once; `most` is the maximum number of bytes of one write(2).
 */
function recordedStore({ fail = [], most = MB }: { fail?: string[]; most?: number } = {}) {
  const directory = freshDirectory();
  const calls: string[] = [];
  const paths = new Map<number, string>();
  const named = (path: string) => relative(directory, path).replace(/^unfinished\/.+/, TEMPORARY) || '.';
  const failing = new Set(fail);
  const enter = (call: string) => {
    if (failing.delete(call)) throw new Error(`${call} failed`);
  };
  async function record(call: string, work: () => Promise<void> | void): Promise<void> {
    enter(call);
    await work();
    calls.push(call);
  }
  function opened(fd: number, path: string): number {
    paths.set(fd, named(path));
    return fd;
  }
  const of = (fd: number) => paths.get(fd) ?? 'closed';
  const files: FileOperations = {
    open: (path) => opened(systemFiles.open(path), path),
    async create(path) {
      enter('create');
      return opened(await systemFiles.create(path), path);
    },
    createFolder: systemFiles.createFolder,
    async write(fd, buffer, offset, length, position) {
      let count = 0;
      await record(`write ${of(fd)}`, async () => {
        count = await systemFiles.write(fd, buffer, offset, Math.min(length, most), position);
      });
      return count;
    },
    read: systemFiles.read,
    syncData: (fd) => record(`fdatasync ${of(fd)}`, () => systemFiles.syncData(fd)),
    sync: (fd) => record(`fsync ${of(fd)}`, () => systemFiles.sync(fd)),
    syncNow(fd) {
      systemFiles.syncNow(fd);
      calls.push(`fsync ${of(fd)}`);
    },
    close(fd) {
      if (!paths.delete(fd)) throw new Error('closed twice');
      systemFiles.close(fd);
    },
    async rename(from, to) {
      enter('rename');
      await systemFiles.rename(from, to);
      calls.push(`rename ${named(from)} ${named(to)}`);
    },
    remove: (path) => record(`remove ${named(path)}`, () => systemFiles.remove(path)),
    freeBytes: systemFiles.freeBytes,
  };
  const writer = openLocalBlobs(directory, files).create(KEY);
  calls.length = 0;
  return { directory, calls, writer, openFiles: () => [...paths.values()] };
}

test('a probe of a store on a full disk fails, and leaves no file', async () => {
  const directory = freshDirectory();
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  const failing = openLocalBlobs(directory, { ...systemFiles, write: () => Promise.reject(full) });
  await expect(failing.probe()).rejects.toBe(full);
  await openLocalBlobs(directory).probe();
  expect(readdirSync(join(directory, 'unfinished'))).toEqual([]);
});

test('the free space of a local store is measured once a second at most', () => {
  let measured = 0;
  const store = openLocalBlobs(freshDirectory(), { ...systemFiles, freeBytes: () => ++measured });
  expect([store.freeBytes(), store.freeBytes()]).toEqual([1, 1]);
  expect(openLocalBlobs(freshDirectory()).freeBytes()).toBeGreaterThan(0);
});

/** The calls without repeats of one call in a row. */
const steps = (calls: readonly string[]) => calls.filter((call, index) => call !== calls[index - 1]);

const random = (size: number) =>
  Buffer.alloc(size, crypto.getRandomValues(Buffer.alloc(Math.min(65_536, size + 1))));

/** A new writer with the number of its unreleased buffers. */
function countedWriter(files: FileOperations = systemFiles) {
  const directory = freshDirectory();
  const counted = { held: 0 };
  const count = (size: number): Buffers => {
    const buffers = createBuffers(size, 4);
    return {
      ...buffers,
      take() {
        counted.held++;
        return buffers.take();
      },
      release(buffer) {
        expect(buffer.length).toBe(size);
        counted.held--;
        buffers.release(buffer);
      },
    };
  };
  const writer = createFileWriter({
    files,
    temporary: join(directory, 'temporary'),
    target: join(directory, 'target'),
    buffers: { small: count(16_384), large: count(262_144) },
    prepare: async () => {},
    syncDirectory: async () => {},
  });
  return { directory, counted, writer };
}

describe('the commit of a local blob', () => {
  test.each([1, 65_536, 65_537, 262_144, 5 * MB + 1])(
    'of %d bytes writes, syncs the file, renames it, and syncs its directory',
    async (size) => {
      const { directory, calls, writer, openFiles } = recordedStore();
      const all = random(size);
      for (let at = 0; at < size; at += 50_001) await writer.write(all.subarray(at, at + 50_001));
      await writer.commit();
      expect(steps(calls)).toEqual([
        `write ${TEMPORARY}`,
        `fsync ${TEMPORARY}`,
        'fsync .',
        `rename ${TEMPORARY} ${TARGET}`,
        'fsync ab',
      ]);
      expect(Buffer.compare(readFileSync(join(directory, TARGET)), all)).toBe(0);
      expect(openFiles()).toEqual([]);
    },
  );

  test('waits until its folder is durable, which another commit creates', async () => {
    const directory = freshDirectory();
    const durable = Promise.withResolvers<void>();
    const synced: string[] = [];
    const paths = new Map<number, string>();
    const files: FileOperations = {
      ...systemFiles,
      open(path) {
        const fd = systemFiles.open(path);
        paths.set(fd, relative(directory, path));
        return fd;
      },
      async sync(fd) {
        const path = paths.get(fd);
        if (path === '') await durable.promise;
        await systemFiles.sync(fd);
        if (path !== undefined) synced.push(path);
      },
    };
    const store = openLocalBlobs(directory, files);
    const keys = ['1', '2'].map((digit) => KEY.replace(/^0/, digit));
    const commits = keys.map((key) => store.create(key).commit());
    await until(() => existsSync(join(directory, 'ab')));
    // Time enough for commits that do not wait.
    for (let turns = 0; turns < 1_000; turns++) await new Promise(setImmediate);
    expect(readdirSync(join(directory, 'ab'))).toEqual([]);
    durable.resolve();
    await Promise.all(commits);
    expect(readdirSync(join(directory, 'ab')).sort()).toEqual(keys);
    expect(synced.indexOf('')).toBeLessThan(synced.indexOf('ab'));
  });

  test.each([1, 16_384, 16_385, 262_144, 262_145, 600_000])(
    'of %d bytes in small pieces has all bytes in their order',
    async (size) => {
      const { directory, counted, writer } = countedWriter();
      const all = crypto.getRandomValues(Buffer.alloc(65_536)).toString('base64').repeat(7).slice(0, size);
      for (let at = 0; at < size; at += 5_000) await writer.write(Buffer.from(all.slice(at, at + 5_000)));
      await writer.commit();
      expect(readFileSync(join(directory, 'target'), 'latin1') === all).toBe(true);
      expect(counted.held).toBe(0);
    },
  );

  test('of no bytes syncs too', async () => {
    const { calls, writer } = recordedStore();
    await writer.commit();
    expect(calls).toEqual([`fsync ${TEMPORARY}`, 'fsync .', `rename ${TEMPORARY} ${TARGET}`, 'fsync ab']);
  });

  test.each([
    [31, 0],
    [32, 1],
    [63, 1],
    [70, 2],
  ])('syncs %d MB while more bytes arrive, %d times', async (size, times) => {
    const { calls, writer } = recordedStore();
    for (let index = 0; index < size; index++) {
      await writer.write(Buffer.alloc(MB));
      // A running sync must end before the next is due.
      if (index === 40) while (!calls.includes(`fdatasync ${TEMPORARY}`)) await new Promise(setImmediate);
    }
    await writer.commit();
    expect(calls.filter((call) => call === `fdatasync ${TEMPORARY}`)).toHaveLength(times);
    expect(calls.slice(-4)[0]).toBe(`fsync ${TEMPORARY}`);
  });

  test('fails when a background sync failed', async () => {
    const { writer } = recordedStore({ fail: [`fdatasync ${TEMPORARY}`] });
    const writeAndCommit = async () => {
      for (let index = 0; index < 33; index++) await writer.write(Buffer.alloc(MB));
      await writer.commit();
    };
    await expect(writeAndCommit()).rejects.toThrow('fdatasync');
    await writer.abort();
  });

  test('waits for a sync in the background, and fails with it', async () => {
    const syncing = Promise.withResolvers<void>();
    const { writer } = countedWriter({ ...systemFiles, syncData: () => syncing.promise });
    for (let index = 0; index < 32; index++) await writer.write(Buffer.alloc(MB));
    const committing = writer.commit();
    // Time enough for a commit that does not wait.
    for (let turns = 0; turns < 1_000; turns++) await new Promise(setImmediate);
    syncing.reject(new Error('the disk is gone'));
    await expect(committing).rejects.toThrow('the disk is gone');
    await writer.abort();
  });

  test('reports the bytes written so far, at last all of them', async () => {
    const { writer } = countedWriter();
    const reported: number[] = [];
    writer.file?.onWritten((bytes) => reported.push(bytes));
    for (let index = 0; index < 3; index++) await writer.write(Buffer.alloc(300_000));
    await writer.commit();
    expect(reported).toEqual([262_144, 524_288, 786_432, 900_000]);
  });

  test.each([10, 100_000])('waits for writes under way, of 1 MB and %d bytes', async (rest) => {
    const { directory, calls, writer } = recordedStore();
    const all = Buffer.alloc(MB + rest, crypto.getRandomValues(Buffer.alloc(65_536)));
    void writer.write(all.subarray(0, MB));
    void writer.write(all.subarray(MB));
    await writer.commit();
    expect(calls.indexOf(`fsync ${TEMPORARY}`)).toBeGreaterThan(calls.lastIndexOf(`write ${TEMPORARY}`));
    expect(Buffer.compare(readFileSync(join(directory, TARGET)), all)).toBe(0);
  });

  test.each([100, 300_000])('writes the rest of %d bytes when the system takes fewer', async (size) => {
    const { directory, writer } = recordedStore({ most: 37_777 });
    const bytes = crypto.getRandomValues(Buffer.alloc(Math.min(size, 65_536)));
    const all = Buffer.alloc(size, bytes);
    await writer.write(all);
    await writer.commit();
    expect(Buffer.compare(readFileSync(join(directory, TARGET)), all)).toBe(0);
  });
});

describe.each([0, 10, 16_384, 65_537, 262_144, MB + 5])('of %d bytes', (size) => {
  test('every buffer is released', async () => {
    for (const end of ['commit', 'abort'] as const) {
      const { counted, writer } = countedWriter();
      for (let at = 0; at < size; at += 100_000)
        await writer.write(Buffer.alloc(Math.min(100_000, size - at)));
      await writer[end]();
      expect(counted.held).toBe(0);
    }
  });

  test('an abort after the commit removes nothing', async () => {
    const { directory, writer } = countedWriter();
    if (size > 0) await writer.write(random(size));
    await writer.commit();
    await writer.abort();
    expect(readdirSync(directory)).toEqual(['target']);
  });

  test('an abort while bytes are written waits for them, and happens once', async () => {
    const { calls, directory, writer, openFiles } = recordedStore();
    if (size > 0) void writer.write(random(size));
    await writer.abort();
    await writer.abort();
    expect(readdirSync(join(directory, 'unfinished'))).toEqual([]);
    expect(openFiles()).toEqual([]);
    expect(calls.filter((call) => call.startsWith('remove'))).toHaveLength(1);
  });
});

describe('after a write failed', () => {
  test('the next one throws, and nothing more is written', async () => {
    const { calls, writer } = recordedStore({ fail: [`write ${TEMPORARY}`] });
    await expect(Promise.resolve(writer.write(Buffer.alloc(2 * MB)))).rejects.toThrow('write');
    expect(() => writer.write(Buffer.alloc(1))).toThrow('write');
    await expect(writer.commit()).rejects.toThrow('write');
    expect(calls.filter((call) => call.startsWith('write'))).toEqual([]);
    await writer.abort();
  });
});

describe('an abort', () => {
  test.each([
    ['the creation of the file', 'create'],
    ['the write', `write ${TEMPORARY}`],
    ['the sync of the file', `fsync ${TEMPORARY}`],
    ['the rename', 'rename'],
    ['the sync of the directory', 'fsync ab'],
  ])('after a failure of %s leaves neither a file nor a descriptor', async (_, call) => {
    for (const size of [10, 100_000, MB, MB + 10]) {
      const { directory, writer, openFiles } = recordedStore({ fail: [call] });
      const writeAndCommit = async () => {
        await writer.write(Buffer.alloc(size));
        await writer.commit();
      };
      expect(await writeAndCommit().catch(({ message }: Error) => message)).toBe(`${call} failed`);
      expect(existsSync(join(directory, TARGET))).toBe(call === 'fsync ab');
      await writer.abort();
      expect(existsSync(join(directory, TARGET))).toBe(false);
      expect(readdirSync(join(directory, 'unfinished'))).toEqual([]);
      expect(openFiles()).toEqual([]);
    }
  });

  test('after a failed commit releases every buffer once', async () => {
    const { directory, counted, writer } = countedWriter();
    await writer.write(Buffer.alloc(10));
    mkdirSync(join(directory, 'target'));
    await expect(writer.commit()).rejects.toThrow('EISDIR');
    rmdirSync(join(directory, 'target'));
    await writer.abort();
    expect(counted.held).toBe(0);
  });

  test('waits for a sync in the background before it closes the file', async () => {
    const syncing = Promise.withResolvers<void>();
    const order: string[] = [];
    const { writer } = countedWriter({
      ...systemFiles,
      syncData: () => syncing.promise,
      close(fd) {
        order.push('closed');
        systemFiles.close(fd);
      },
    });
    for (let index = 0; index < 32; index++) await writer.write(Buffer.alloc(MB));
    const aborting = writer.abort();
    // Time enough for an abort that does not wait.
    for (let turns = 0; turns < 1_000; turns++) await new Promise(setImmediate);
    order.push('synced');
    syncing.resolve();
    await aborting;
    expect(order).toEqual(['synced', 'closed']);
  });

  test('before the commit does not touch the target', async () => {
    const { calls, writer } = recordedStore();
    await writer.write(Buffer.alloc(MB));
    await writer.abort();
    expect(calls.filter((call) => call.startsWith('remove'))).toEqual([`remove ${TEMPORARY}`]);
  });
});
