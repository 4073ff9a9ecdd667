import { expect, test } from 'bun:test';
import { createBodyTurns } from './body-turns.ts';

/** Turns on a clock of their own, and the names of the bodies that may be read. */
function begin() {
  let now = 1_000;
  let timers: { run(): void; at: number }[] = [];
  const later = (run: () => void, ms: number) => void timers.push({ run, at: now + ms });
  const turns = createBodyTurns({ clock: () => now, later });
  const released: string[] = [];
  return {
    turns,
    released,
    /** Runs the timers that are due after a time. */
    async pass(ms: number) {
      now += ms;
      const due = timers.filter(({ at }) => at <= now);
      timers = timers.filter(({ at }) => at > now);
      for (const { run } of due) run();
      await new Promise(setImmediate);
    },
    /** Handles bytes for some time, until the end of the turn of the event loop. */
    async occupy(ms: number) {
      turns.arrived();
      turns.arrived();
      now += ms;
      await new Promise(setImmediate);
    },
    async read(name: string) {
      await turns.next();
      released.push(name);
    },
  };
}

test('bodies are not delayed while there are no other requests', async () => {
  const { turns, occupy, pass } = begin();
  turns.other();
  await pass(11);
  await occupy(5);
  expect(turns.next()).toBeUndefined();
});

test('after bytes of a body, other requests have twice as long, and bodies take turns', async () => {
  const { turns, occupy, pass, read, released } = begin();
  await occupy(2);
  turns.other();
  void read('first');
  void read('second');
  await pass(3);
  expect(released).toEqual([]);
  await pass(1);
  expect(released).toEqual(['first']);
  await pass(1);
  expect(released).toEqual(['first', 'second']);
  expect(turns.next()).toBeUndefined();
});

test('a body goes on when there are no other requests any more', async () => {
  const { turns, occupy, pass, read, released } = begin();
  await occupy(2);
  turns.other();
  void read('first');
  void read('second');
  await pass(16);
  expect(released).toEqual(['first', 'second']);
});

test('a turn that was occupied by something else delays no body for long', async () => {
  const { turns, occupy, pass, read, released } = begin();
  await occupy(60_000);
  turns.other();
  void read('body');
  await pass(7);
  expect(released).toEqual([]);
  turns.other();
  await pass(1);
  expect(released).toEqual(['body']);
});
