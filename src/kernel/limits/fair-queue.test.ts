import { describe, expect, test } from 'bun:test';
import { until } from '../../../test/harness/until.ts';
import { createFairQueue } from './fair-queue.ts';
import { PROGRAM } from './round-robin.ts';

const LIMITS = { running: 1, runningEach: 1, waiting: 100, waitingEach: 50, waitMs: 60_000 };

/** A queue whose calls wait for `finish`, in the order in which they run. */
function queue(limits: Partial<typeof LIMITS> = {}) {
  const run = createFairQueue({ ...LIMITS, ...limits });
  const started: string[] = [];
  const open: (() => void)[] = [];
  return {
    started,
    call: (owner: string, name = owner) =>
      run(owner, () => {
        started.push(name);
        return new Promise<string>((resolve) => open.push(() => resolve(name)));
      }),
    async finish(count = 1) {
      for (let done = 0; done < count; done++) {
        const next = await until(() => open.shift());
        next();
      }
    },
  };
}

describe('a fair queue', () => {
  test('lets owners take turns, each in order', async () => {
    const { call, finish, started } = queue();
    const calls = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map((name) => call(name.charAt(0), name));
    await finish(6);
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
    expect(await Promise.all(calls)).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'b2']);
  });

  test('limits the calls of one owner that run', async () => {
    const { call, finish, started } = queue({ running: 3, runningEach: 2 });
    const calls = ['a', 'a', 'a', 'b', 'b'].map((owner) => call(owner));
    await until(() => started.length === 3);
    expect(started).toEqual(['a', 'a', 'b']);
    await finish(5);
    await Promise.all(calls);
  });

  test('does not limit the calls of the program that run', async () => {
    const { call, finish, started } = queue({ running: 3, runningEach: 1 });
    const calls = ['a', 'a', PROGRAM, PROGRAM].map((owner) => call(owner, owner || 'program'));
    await until(() => started.length === 3);
    expect(started).toEqual(['a', 'program', 'program']);
    await finish(4);
    await Promise.all(calls);
  });

  test('refuses more than its bounds, and takes new calls after one ended', async () => {
    const { call, finish } = queue({ waiting: 3, waitingEach: 2 });
    const taken = [call('a'), call('a'), call('a')];
    await expect(call('a')).rejects.toMatchObject({ code: 'rate_limited', retryAfterMs: 1_000 });
    taken.push(call('b'));
    await expect(call('b')).rejects.toMatchObject({ code: 'unavailable', retryAfterMs: 1_000 });
    await finish();
    await taken[0];
    taken.push(call('c'));
    await finish(4);
    expect(await Promise.all(taken)).toEqual(['a', 'a', 'a', 'b', 'c']);
  });

  test('ends the wait of a call that has waited too long', async () => {
    const { call, finish, started } = queue({ waitMs: 1 });
    const first = call('a');
    await expect(call('b')).rejects.toMatchObject({ code: 'unavailable' });
    await finish();
    await first;
    const next = call('c');
    await finish();
    await next;
    expect(started).toEqual(['a', 'c']);
  });

  test('lets the next call run after one that failed', async () => {
    const run = createFairQueue(LIMITS);
    await expect(run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await run('a', async () => 'yes')).toBe('yes');
  });
});
