import { describe, expect, test } from 'bun:test';
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

describe('during short requests', () => {
  function createWork(areRecent = true) {
    const time = { now: 1_000, pauses: [] as number[] };
    const giveWay = createTimeSlices({
      ms: 2,
      shortRequests: { areRecent: () => areRecent },
      clock: () => time.now,
      cpuTime: () => time.now,
      later(run, ms) {
        time.pauses.push(ms);
        time.now += ms;
        run();
      },
    });
    /** Works for a time in each turn of the event loop. */
    const work = async (turns: readonly number[]) => {
      for (const ms of turns) {
        await giveWay();
        time.now += ms;
        await new Promise(setImmediate);
      }
      await giveWay();
    };
    return { time, giveWay, work };
  }

  test('work has a seventh of the time', async () => {
    const { time, work } = createWork();
    await work([3, 20]);
    expect(time.pauses).toEqual([18, 60]);
  });

  test('work that comes after its pause does not wait', async () => {
    const { time, giveWay, work } = createWork();
    await work([3]);
    await new Promise(setImmediate);
    time.now += 100;
    await giveWay();
    expect(time.pauses).toEqual([18]);
  });

  test('a slice lasts until its time is used up', async () => {
    const { time, giveWay } = createWork();
    await giveWay();
    time.now += 1;
    expect(giveWay()).toBeUndefined();
    time.now += 1;
    expect(giveWay()).toBeInstanceOf(Promise);
  });

  test('alone, work continues in the next turn', async () => {
    const { time, work } = createWork(false);
    await work([3, 20]);
    expect(time.pauses).toEqual([]);
  });
});
