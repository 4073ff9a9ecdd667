import { expect, test } from 'bun:test';
import { steadyClock } from './steady-clock.ts';

test('runs with its clock, and does not go back with it', () => {
  const clock = { at: 1_000, now: () => clock.at };
  const steady = steadyClock(clock);
  expect(steady.now()).toBe(1_000);
  clock.at = 1_500;
  expect(steady.now()).toBe(1_500);
  clock.at = 1_700;
  expect(steady.now()).toBe(1_700);
  clock.at = 1_500;
  expect(steady.now()).toBe(1_700);
  clock.at = 200;
  expect([steady.now(), steady.now()]).toEqual([1_700, 1_700]);
  clock.at = 300;
  expect(steady.now()).toBe(1_800);
  clock.at = 50;
  expect(steady.now()).toBe(1_800);
  clock.at = 51;
  expect(steady.now()).toBe(1_801);
});
