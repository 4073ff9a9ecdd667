import { afterEach, beforeEach, expect, type Mock, spyOn, test } from 'bun:test';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../../../test/harness/until.ts';
import { createLogSync, type LogSync } from './log-sync.ts';

let directory: string;
let logSync: LogSync;
let datasync: Mock<FileHandle['datasync']>;
let pending: PromiseWithResolvers<void>[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'log-sync-'));
  const file = join(directory, 'database');
  await Bun.write(file, '');
  await using handle = await open(`${file}-wal`, 'w');
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
  const failed = { reason: { message: 'the log could not be synced' } };
  const both = Promise.allSettled([logSync.sync(), logSync.sync()]);
  (await syncOf(0)).reject(new Error('EIO'));
  (await syncOf(1)).resolve();
  expect(await both).toMatchObject([failed, failed]);
  const third = Promise.allSettled([logSync.sync()]);
  (await syncOf(2)).resolve();
  expect(await third).toMatchObject([failed]);
});

test('a log that could not be opened is synced later', async () => {
  const file = join(directory, 'later');
  await Bun.write(file, '');
  const later = createLogSync(file);
  await expect(later.sync()).rejects.toThrow('the log could not be synced');
  await Bun.write(`${file}-wal`, '');
  const done = later.sync();
  (await syncOf(0)).resolve();
  await done;
  await later.close();
});

test('syncs fail while the disk hangs, and succeed again once it responds', async () => {
  const file = join(directory, 'database');
  const limited = createLogSync(file, 1);
  const waiting = [limited.sync(), limited.sync()];
  for (const result of await Promise.allSettled(waiting))
    expect(result).toMatchObject({ reason: { message: 'the disk does not respond', isUnknown: true } });
  expect(() => limited.requireResponsive()).toThrow('the disk does not respond');
  await expect(limited.sync()).rejects.toThrow('the disk does not respond');

  (await syncOf(0)).resolve();
  (await syncOf(1)).resolve();
  const isResponsive = () => {
    try {
      limited.requireResponsive();
      return true;
    } catch {
      return false;
    }
  };
  await until(isResponsive);
  await limited.close();
});
