import { expect, test } from 'bun:test';
import { loadOnce } from './load-once.ts';

test('loads once, also for simultaneous callers, and again after a failure', async () => {
  let calls = 0;
  const load = loadOnce(async () => {
    if (++calls === 1) throw new Error('too many open files');
    return calls;
  });
  const first = [load(), load()];
  for (const result of first) await expect(result).rejects.toThrow('too many open files');
  expect(await Promise.all([load(), load()])).toEqual([2, 2]);
  expect(await load()).toBe(2);
});
