import { expect, test } from 'bun:test';
import { createWindowLimit } from './windows.ts';

const WINDOW = 1_000;

function setUp(runningFor = WINDOW) {
  const clock = { at: 1_000_000_000, now: () => clock.at };
  const limit = createWindowLimit({ windowMs: WINDOW, clock });
  clock.at += runningFor;
  return { clock, limit };
}

test('a full window passes at once, then one whenever another leaves the window', () => {
  const { clock, limit } = setUp();
  expect([limit.take('a', 2, false), limit.take('b', 2, false)]).toEqual([0, 0]);
  clock.at += 300;
  expect(limit.take('a', 2, false)).toBe(0);
  expect(limit.take('a', 2, false)).toBe(700);
  clock.at += 700;
  expect(limit.take('a', 2, true)).toBe(0);
  expect(limit.take('a', 2, true)).toBe(300);
});

test('the first window after the start counts as full', () => {
  const { clock, limit } = setUp(0);
  expect(limit.take('a', 5, false)).toBe(WINDOW);
  clock.at += WINDOW;
  expect(limit.take('a', 5, true)).toBe(0);
});

test('a take that was given back can be taken again', () => {
  const { limit } = setUp();
  expect([limit.take('a', 1, false), limit.take('a', 1, true)]).toEqual([0, WINDOW]);
  limit.giveBack('a');
  expect(limit.take('a', 1, true)).toBe(0);
});

test('a clock set back by an hour delays no caller longer than the window', () => {
  const { clock, limit } = setUp();
  expect(limit.take('a', 1, false)).toBe(0);
  clock.at -= 3_600_000;
  expect(limit.take('a', 1, false)).toBe(WINDOW);
  clock.at += WINDOW;
  expect(limit.take('a', 1, true)).toBe(0);
  expect(limit.take('a', 1, true)).toBe(WINDOW);
});

test('a clock set back during the first window does not lengthen it', () => {
  const { clock, limit } = setUp(0);
  clock.at -= 3_600_000;
  expect(limit.take('a', 1, false)).toBe(WINDOW);
  clock.at += WINDOW;
  expect(limit.take('a', 1, true)).toBe(0);
});

test('a clock that is set back never allows more than the limit', () => {
  const { clock, limit } = setUp();
  for (const take of [limit.take('a', 2, false), limit.take('a', 2, false)]) expect(take).toBe(0);
  clock.at -= 10;
  expect(limit.take('a', 2, false)).toBe(WINDOW);
});

test('a new caller queues behind callers with a slot', () => {
  const { clock, limit } = setUp();
  limit.take('a', 1, false);
  clock.at += 999;
  expect(limit.take('a', 1, false)).toBe(1);
  clock.at += 0.5;
  expect(limit.take('a', 1, false)).toBe(Math.ceil(0.5 + WINDOW * 1.05));
  clock.at += 0.5;
  expect(limit.take('a', 1, true)).toBe(0);
});

test.each([1, 3, 10, 50])(
  'of 500 concurrent callers, no window has more than %d, none polls often, and none is overtaken',
  (count) => {
    const { clock, limit } = setUp();
    const passed: number[] = [];
    let asked = 0;
    // Every caller is slightly late, as in a busy process.
    const waiting = Array.from({ length: 500 }, (_, index) => ({ index, at: clock.at, waited: false }));
    const order: number[] = [];
    while (waiting.length > 0) {
      waiting.sort((a, b) => a.at - b.at || a.index - b.index);
      const next = waiting.shift();
      if (!next) break;
      clock.at = Math.max(clock.at, next.at + ((asked * 7) % 20));
      asked++;
      const wait = limit.take('a', count, next.waited);
      if (wait === 0) {
        passed.push(clock.at);
        order.push(next.index);
      } else waiting.push({ ...next, at: clock.at + wait, waited: true });
    }
    for (const [index, at] of passed.entries()) {
      const earlier = passed[index - count];
      if (earlier !== undefined) expect(at - earlier).toBeGreaterThanOrEqual(WINDOW);
    }
    expect(asked).toBeLessThan(1_500);
    expect(passed.length).toBe(500);
    expect((passed.at(-1) ?? 0) - (passed[0] ?? 0)).toBeLessThan((500 / count) * WINDOW * 1.2);
    expect(order.filter((index, place) => Math.abs(index - place) > 50)).toEqual([]);
  },
);
