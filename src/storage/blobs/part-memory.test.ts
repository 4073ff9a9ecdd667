import { expect, test } from 'bun:test';
import { setImmediate } from 'node:timers/promises';
import { createPartMemory, type HeldPart } from './part-memory.ts';

const HOUR = 3_600_000;
const fail = (reason: Error) => {
  throw reason;
};
/** Reports whether a promise is settled, once those that can be are. */
const isSettled = async (promise: Promise<void> | undefined) => {
  const later = Symbol();
  const outcome = await Promise.race([promise, setImmediate(later)]);
  return outcome !== later;
};

test('parts wait in the order of arrival until others are released', async () => {
  const memory = createPartMemory({ sharedBytes: 10, beyond: 0, waitMs: HOUR });
  const [first, second, third] = [memory.open(fail), memory.open(fail), memory.open(fail)];
  expect(first.add(8)).toBeUndefined();
  const [large, small] = [second.add(4), third.add(1)];
  expect([await isSettled(large), await isSettled(small)]).toEqual([false, false]);
  first.release();
  await large;
  await small;
  expect(await isSettled(first.add(6))).toBe(false);
});

test('of parts that are half full, some may grow beyond the bound, one after another', async () => {
  const memory = createPartMemory({ sharedBytes: 10, beyond: 1, waitMs: HOUR });
  const [first, second] = [memory.open(fail), memory.open(fail)];
  for (const part of [first, second]) expect(part.add(5)).toBeUndefined();
  expect(first.add(3)).toBeUndefined();
  const wait = second.add(3);
  expect(await isSettled(wait)).toBe(false);
  expect(first.add(2)).toBeUndefined();
  first.seal();
  first.release();
  await wait;
});

/** Returns a part, and a promise of the code with which it is given up. */
function watched(memory: ReturnType<typeof createPartMemory>): [HeldPart, Promise<string>] {
  const { promise, resolve } = Promise.withResolvers<string>();
  return [memory.open(({ code }) => resolve(code)), promise];
}

test('the largest and oldest part is given up when clients send slowly', async () => {
  const memory = createPartMemory({ sharedBytes: 10, beyond: 0, waitMs: 1 });
  const [sealed, slow, small] = [memory.open(fail), watched(memory), memory.open(fail)];
  expect(sealed.add(2)).toBeUndefined();
  sealed.seal();
  expect(slow[0].add(7)).toBeUndefined();
  expect(small.add(1)).toBeUndefined();
  await memory.open(fail).add(3);
  expect(await slow[1]).toBe('unavailable');
});

test('no part is given up while those that are being sent will leave room', async () => {
  const memory = createPartMemory({ sharedBytes: 10, beyond: 0, waitMs: 1 });
  const [sealed, open] = [memory.open(fail), memory.open(fail)];
  expect([sealed.add(5), open.add(5)]).toEqual([undefined, undefined]);
  sealed.seal();
  const wait = memory.open(fail).add(5);
  // Another one with the same time limit, which gives up its part later.
  const late = createPartMemory({ sharedBytes: 10, beyond: 0, waitMs: 1 });
  const [part, givenUp] = watched(late);
  part.add(10);
  await late.open(fail).add(1);
  await givenUp;
  sealed.release();
  await wait;
});

test('a part that is released while it waits ends its wait, and counts no more', async () => {
  const memory = createPartMemory({ sharedBytes: 10, beyond: 0, waitMs: HOUR });
  const [first, second, third] = [memory.open(fail), memory.open(fail), memory.open(fail)];
  first.add(6);
  const [ended, waiting] = [second.add(6), third.add(4)];
  second.release();
  second.release();
  await expect(ended).rejects.toMatchObject({ code: 'unavailable' });
  await waiting;
});

test('memory is spare as long as half of it remains for others', () => {
  const memory = createPartMemory({ sharedBytes: 10, beyond: 0, waitMs: HOUR });
  const part = memory.open(fail);
  part.add(3);
  expect([memory.hasSpare(2), memory.hasSpare(3)]).toEqual([true, false]);
  part.release();
  expect(memory.hasSpare(3)).toBe(true);
});
