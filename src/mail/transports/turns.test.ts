import { expect, test } from 'bun:test';
import { createTurns } from './turns.ts';

function setUp() {
  const clock = { at: 1_000_000, now: () => clock.at };
  return { clock, turns: createTurns(clock) };
}

test('each slot is slightly more than a step after the previous one', () => {
  const { turns } = setUp();
  expect([1, 2, 3].map(() => turns.next('a', 100, 1_000))).toEqual([100, 1_150, 2_200]);
  expect(turns.next('b', 0, 1_000)).toBe(0);
});

test('a slot is never before the end of the limit, in whole ms', () => {
  const { turns } = setUp();
  turns.next('a', 100, 10);
  expect(turns.next('a', 5_000.2, 10)).toBe(5_001);
  expect(turns.next('b', -3, 10)).toBe(0);
});

test('slots are ahead until the last one', () => {
  const { clock, turns } = setUp();
  expect(turns.ahead('a')).toBe(false);
  turns.next('a', 100, 10);
  clock.at += 99;
  expect([turns.ahead('a'), turns.ahead('b')]).toEqual([true, false]);
  clock.at += 1;
  expect(turns.ahead('a')).toBe(false);
  expect(turns.next('a', 50, 1_000)).toBe(50);
});

test('a clock that is set back delays no slot', () => {
  const { clock, turns } = setUp();
  turns.next('a', 100, 10);
  clock.at -= 3_600_000;
  expect(turns.next('a', 100, 10)).toBe(Math.ceil(100 + 10 * 1.05));
});
