import { expect, test } from 'bun:test';
import { createTimeSlices } from './time-slices.ts';

test('work that shares the time takes turns, one slice in each round of the event loop', async () => {
  const giveWay = createTimeSlices({ ms: 0 });
  const done: string[] = [];
  let isOver = false;
  const round = () => {
    done.push('-');
    if (!isOver) setImmediate(round);
  };
  const work = async (name: string) => {
    for (let step = 0; step < 3; step++) {
      await giveWay();
      done.push(name);
    }
  };
  const all = Promise.all(['a', 'b', 'c'].map(work));
  round();
  await all;
  isOver = true;
  const order = done.join('');
  expect(order.replaceAll('-', '')).toBe('abcabcabc');
  expect(order).not.toMatch(/[abc]{2}/);
});

test('while there are short requests, work has a seventh of the time', async () => {
  let now = 1_000;
  let areRecent = true;
  const pauses: number[] = [];
  const giveWay = createTimeSlices({
    ms: 2,
    shortRequests: { areRecent: () => areRecent },
    clock: () => now,
    cpuTime: () => now,
    later(run, ms) {
      pauses.push(ms);
      now += ms;
      run();
    },
  });
  now += 1;
  expect(giveWay()).toBeUndefined();
  now += 2;
  await giveWay();
  now += 20;
  await giveWay();
  now += 60_000;
  await giveWay();
  areRecent = false;
  now += 2;
  await giveWay();
  expect(pauses).toEqual([18, 60]);
});
