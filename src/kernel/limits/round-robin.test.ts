import { expect, test } from 'bun:test';
import { createRoundRobin, PROGRAM } from './round-robin.ts';

/** Adds items such as `a1`, whose owner is their first letter. */
function filled(...items: string[]) {
  const list = createRoundRobin<string>();
  for (const item of items) list.add(item.charAt(0), item);
  const takeAll = (mayTake?: (owner: string) => boolean) => {
    const taken: string[] = [];
    for (let item = list.take(mayTake); item !== undefined; item = list.take(mayTake)) taken.push(item);
    return taken;
  };
  return { list, takeAll };
}

test('owners take turns, and the items of each keep their order', () => {
  const { list, takeAll } = filled('a1', 'a2', 'a3', 'b1', 'c1', 'b2');
  expect([list.size, list.sizeOf('a'), list.sizeOf('d')]).toEqual([6, 3, 0]);
  expect(takeAll()).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  expect([list.size, list.sizeOf('a')]).toEqual([0, 0]);
});

test('the program has every second turn', () => {
  const { list, takeAll } = filled('a1', 'a2', 'b1', 'c1', 'c2');
  for (const item of ['p1', 'p2', 'p3', 'p4']) list.add(PROGRAM, item);
  expect(list.take((owner) => owner !== PROGRAM)).toBe('a1');
  expect(takeAll()).toEqual(['p1', 'b1', 'p2', 'c1', 'p3', 'a2', 'p4', 'c2']);
  list.add(PROGRAM, 'p5');
  list.add(PROGRAM, 'p6');
  expect(takeAll()).toEqual(['p5', 'p6']);
});

test('owners that may not take keep their places', () => {
  const { list, takeAll } = filled('a1', 'b1', 'c1', 'a2');
  expect(list.take((owner) => owner !== 'a')).toBe('b1');
  expect(takeAll()).toEqual(['a1', 'c1', 'a2']);
});

test('removed items are not taken', () => {
  const { list, takeAll } = filled('a1', 'a2', 'b1');
  list.remove('a', 'a1');
  list.remove('a', 'a1');
  list.remove('b', 'b1');
  list.remove('c', 'c1');
  expect(list.size).toBe(1);
  expect(takeAll()).toEqual(['a2']);
});
