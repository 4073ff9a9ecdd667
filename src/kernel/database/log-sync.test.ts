import { afterEach, beforeEach, expect, type Mock, spyOn, test } from 'bun:test';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogSync, type LogSync } from './log-sync.ts';

let directory: string;
let logSync: LogSync;
let datasync: Mock<FileHandle['datasync']>;
let pending: PromiseWithResolvers<void>[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'log-sync-'));
  const file = join(directory, 'log');
  await using handle = await open(file, 'w');
  pending = [];
  datasync = spyOn(Object.getPrototypeOf(handle) as FileHandle, 'datasync').mockImplementation(() => {
    const sync = Promise.withResolvers<void>();
    pending.push(sync);
    return sync.promise;
  });
  logSync = createLogSync(file);
});
afterEach(async () => {
  datasync.mockRestore();
  await logSync.close();
  await rm(directory, { recursive: true });
});

/** Waits for the sync with this number, and returns it. */
async function syncOf(number: number): Promise<PromiseWithResolvers<void>> {
  for (;;) {
    const sync = pending[number];
    if (sync) return sync;
    await new Promise(setImmediate);
  }
}

test('calls during a sync share the next one', async () => {
  const done: string[] = [];
  const sync = (name: string) => logSync.sync().then(() => done.push(name));
  const first = sync('first');
  const running = await syncOf(0);
  const others = ['second', 'third'].map(sync);
  running.resolve();
  await first;
  expect(done).toEqual(['first']);
  (await syncOf(1)).resolve();
  await Promise.all(others);
  expect(done).toEqual(['first', 'second', 'third']);
  expect(pending).toHaveLength(2);
});

test('after a failure, every sync fails', async () => {
  const first = logSync.sync();
  const running = await syncOf(0);
  const second = logSync.sync();
  running.reject(new Error('EIO'));
  (await syncOf(1)).resolve();
  for (const sync of [first, second]) expect(sync).rejects.toThrow('the log could not be synced');
  await Promise.allSettled([first, second]);
  const third = logSync.sync();
  (await syncOf(2)).resolve();
  expect(third).rejects.toThrow('the log could not be synced');
  await third.catch(() => {});
});

test('a log that could not be opened is synced later', async () => {
  const file = join(directory, 'later');
  const later = createLogSync(file);
  await expect(later.sync()).rejects.toThrow('the log could not be synced');
  await Bun.write(file, '');
  const done = later.sync();
  (await syncOf(0)).resolve();
  await done;
  await later.close();
});
