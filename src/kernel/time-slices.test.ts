import { expect, test } from 'bun:test';
import { createTimeSlices } from './time-slices.ts';

test('work that shares the time takes turns, one slice in each round of the event loop', async () => {
  const giveWay = createTimeSlices(0);
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
