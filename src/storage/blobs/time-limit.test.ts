import { expect, test } from 'bun:test';
import { until } from '../../../test/harness/until.ts';
import { systemFiles } from './file-operations.ts';
import { withTimeLimit } from './time-limit.ts';

const DESCRIPTOR = 7;

function diskThatHangs() {
  const closed: number[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const files = {
    ...systemFiles,
    sync: () => promise,
    remove: () => promise,
    close: (descriptor: number) => void closed.push(descriptor),
  };
  return { closed, respond: resolve, files };
}

test('calls do not wait for a disk that does not respond, and the file stays open until it does', async () => {
  const { closed, respond, files } = diskThatHangs();
  const limited = withTimeLimit(files, 1);
  await expect(limited.sync(DESCRIPTOR)).rejects.toThrow('the disk does not respond');
  await expect(limited.remove('file')).rejects.toThrow('the disk does not respond');
  limited.close(DESCRIPTOR);
  expect(closed).toEqual([]);
  respond();
  await until(() => closed.length > 0);
  expect(closed).toEqual([DESCRIPTOR]);
});

test('a disk that responds is waited for, and its file is closed at once', async () => {
  const { closed, respond, files } = diskThatHangs();
  const limited = withTimeLimit(files, 60_000);
  const synced = limited.sync(DESCRIPTOR);
  respond();
  await synced;
  limited.close(DESCRIPTOR);
  expect(closed).toEqual([DESCRIPTOR]);
});

test('a file that is created too late is closed', async () => {
  const { closed, files } = diskThatHangs();
  const { promise, resolve } = Promise.withResolvers<number>();
  const limited = withTimeLimit({ ...files, create: () => promise }, 1);
  await expect(limited.create('file')).rejects.toThrow('the disk does not respond');
  expect(closed).toEqual([]);
  resolve(DESCRIPTOR);
  await until(() => closed.length > 0);
  expect(closed).toEqual([DESCRIPTOR]);
});
