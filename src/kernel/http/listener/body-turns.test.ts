import { expect, test } from 'bun:test';
import { createShortRequests } from '../../event-loop/short-requests.ts';
import { createBodyTurns } from './body-turns.ts';

/** Turns on a separate clock, and the names of the bodies that may be read. */
function begin() {
  let now = 1_000;
  let idleMs = 0;
  let timers: { run(): void; at: number }[] = [];
  const later = (run: () => void, ms: number) => void timers.push({ run, at: now + ms });
  const clock = () => now;
  const shortRequests = createShortRequests(clock);
  const turns = createBodyTurns({ shortRequests, clock, cpuTime: () => now - idleMs, later });
  const released: string[] = [];
  return {
    turns,
    shortRequests: {
      /** Records as many requests as count as recent ones. */
      record() {
        for (let count = 0; count < 2; count++) shortRequests.record();
      },
    },
    released,
    /** Runs the timers that are due after a time. */
    async pass(ms: number) {
      now += ms;
      const due = timers.filter(({ at }) => at <= now);
      timers = timers.filter(({ at }) => at > now);
      for (const { run } of due) run();
      await new Promise(setImmediate);
    },
    /** Makes the next time that passes one in which the event loop is idle. */
    rest(ms: number) {
      idleMs += ms;
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
  const { turns, shortRequests, occupy, pass } = begin();
  shortRequests.record();
  await pass(11);
  await occupy(5);
  expect(turns.next()).toBeUndefined();
});

test('after bytes of a body, other requests have six times as long, and bodies take turns', async () => {
  const { turns, shortRequests, occupy, pass, read, released } = begin();
  shortRequests.record();
  await occupy(1);
  void read('first');
  void read('second');
  await pass(5);
  expect(released).toEqual([]);
  await pass(1);
  expect(released).toEqual(['first']);
  await pass(1);
  expect(released).toEqual(['first', 'second']);
  expect(turns.next()).toBeUndefined();
});

test('the transaction after a body counts as well', async () => {
  const { turns, shortRequests, pass, read, released } = begin();
  shortRequests.record();
  turns.ended();
  void read('next');
  for (const ms of [9, 9, 5]) {
    await pass(ms);
    shortRequests.record();
  }
  expect(released).toEqual([]);
  await pass(1);
  expect(released).toEqual(['next']);
});

test('bodies continue one after another when there are no more other requests', async () => {
  const { turns, shortRequests, occupy, pass, read, released } = begin();
  shortRequests.record();
  await occupy(4);
  void read('first');
  void read('second');
  await pass(5);
  expect(released).toEqual([]);
  await pass(5);
  expect(released).toEqual(['first']);
  expect(turns.next()).toBeUndefined();
  await pass(1);
  expect(released).toEqual(['first', 'second']);
});

test('bodies continue one after another while the event loop is idle', async () => {
  const { shortRequests, occupy, pass, rest, read, released } = begin();
  shortRequests.record();
  await occupy(4);
  void read('first');
  void read('second');
  await pass(1);
  expect(released).toEqual([]);
  rest(1);
  await pass(1);
  expect(released).toEqual(['first']);
  await pass(1);
  expect(released).toEqual(['first']);
  rest(1);
  await pass(1);
  expect(released).toEqual(['first', 'second']);
});

test('bodies that were alone owe no time', async () => {
  const { turns, shortRequests, occupy } = begin();
  for (let turn = 0; turn < 100; turn++) {
    await occupy(4);
    turns.ended();
  }
  shortRequests.record();
  expect(turns.next()).toBeUndefined();
});

test('no number of other requests and of small bodies stops a body', async () => {
  const { turns, shortRequests, pass, read, released } = begin();
  shortRequests.record();
  turns.ended();
  void read('first');
  void read('second');
  for (let ms = 0; ms < 120; ms++) {
    shortRequests.record();
    turns.ended();
    if (ms === 59) expect(released).toEqual([]);
    await pass(1);
    if (ms === 60) expect(released).toEqual(['first']);
  }
  expect(released).toEqual(['first', 'second']);
});

test('a turn that was occupied by something else delays no body for long', async () => {
  const { shortRequests, occupy, pass, read, released } = begin();
  shortRequests.record();
  void occupy(60_000);
  shortRequests.record();
  await pass(0);
  void read('body');
  await pass(9);
  shortRequests.record();
  await pass(9);
  shortRequests.record();
  await pass(5);
  expect(released).toEqual([]);
  shortRequests.record();
  await pass(1);
  expect(released).toEqual(['body']);
});
