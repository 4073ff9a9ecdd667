import { expect, test } from 'bun:test';
import { createShortRequests } from '../short-requests.ts';
import { createBodyTurns } from './body-turns.ts';

/** Turns on a clock of their own, and the names of the bodies that may be read. */
function begin() {
  let now = 1_000;
  let timers: { run(): void; at: number }[] = [];
  const later = (run: () => void, ms: number) => void timers.push({ run, at: now + ms });
  const clock = () => now;
  const requests = createShortRequests(clock);
  const turns = createBodyTurns({ requests, clock, cpuTime: clock, later });
  const released: string[] = [];
  return {
    turns,
    requests,
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
  const { turns, requests, occupy, pass } = begin();
  requests.record();
  await pass(11);
  await occupy(5);
  expect(turns.next()).toBeUndefined();
});

test('after bytes of a body, other requests have six times as long, and bodies take turns', async () => {
  const { turns, requests, occupy, pass, read, released } = begin();
  await occupy(1);
  requests.record();
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
  const { turns, requests, pass, read, released } = begin();
  turns.ended();
  requests.record();
  void read('next');
  await pass(5);
  expect(released).toEqual([]);
  await pass(1);
  expect(released).toEqual(['next']);
});

test('a body goes on when there are no other requests any more', async () => {
  const { requests, occupy, pass, read, released } = begin();
  await occupy(2);
  requests.record();
  void read('first');
  void read('second');
  await pass(16);
  expect(released).toEqual(['first', 'second']);
});

test('a turn that was occupied by something else delays no body for long', async () => {
  const { requests, occupy, pass, read, released } = begin();
  await occupy(60_000);
  requests.record();
  void read('body');
  await pass(9);
  requests.record();
  await pass(9);
  requests.record();
  await pass(5);
  expect(released).toEqual([]);
  requests.record();
  await pass(1);
  expect(released).toEqual(['body']);
});
