import { afterEach, expect, test } from 'bun:test';
import { freshDirectory } from '../../test/harness/backends.ts';
import { until } from '../../test/harness/until.ts';
import { shapeConfig } from '../config/config.ts';
import { readSettings } from '../config/env.ts';
import { MINUTE } from '../kernel/clock.ts';
import { nextRound } from '../kernel/event-loop/next-round.ts';
import type { ReadyMessage } from './messages.ts';
import type { ServerProcess } from './process.ts';
import { startProcesses } from './supervisor.ts';

/** A process whose start and end the test controls. */
interface FakeProcess extends ServerProcess {
  slot: number;
  port: number;
  start(): void;
  end(): void;
  /** Whether it replies to pings. */
  replies: boolean;
}

const PORT = 4321;
const stops: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** Starts a server of fake processes. Its pauses have no length. */
function supervise(processes: number) {
  const pauses: number[] = [];
  const time = { now: 0, pass: () => {} };
  const settings = readSettings({}, { POSTHOUSE_DATA_DIR: freshDirectory(), PORT: '0' });
  const { config } = shapeConfig(settings);
  const started: FakeProcess[] = [];
  const server = startProcesses({ ...config, processes, logLevel: 'silent' }, settings, {
    timers: {
      now: () => time.now,
      sleep: async (ms) => void pauses.push(ms),
      every(ms, work) {
        time.pass = () => {
          time.now += ms;
          work();
        };
        return () => {};
      },
    },
    start({ slot, port }) {
      const ready = Promise.withResolvers<ReadyMessage>();
      const exited = Promise.withResolvers<number | string>();
      const end = () => {
        ready.reject(new Error('ended'));
        exited.resolve('SIGKILL');
      };
      ready.promise.catch(() => {});
      const child: FakeProcess = {
        slot,
        port,
        replies: true,
        opened: Promise.resolve(),
        ready: ready.promise,
        exited: exited.promise,
        start: () => ready.resolve({ type: 'ready', url: 'http://x', port: PORT, setupLink: null }),
        end,
        kill: end,
        ping: () => (child.replies ? Promise.resolve() : new Promise(() => {})),
        send() {},
        measure: async () => null,
        stop: async () => end(),
      };
      started.push(child);
      return child;
    },
  });
  stops.push(async () => {
    const { stop } = await server;
    await stop();
  });
  /** Returns the process that was started last in a slot, when there are `count` of them. */
  const nth = async (slot: number, count = 1) =>
    await until(() => started.filter((child) => child.slot === slot)[count - 1]);
  return { server, nth, pauses, time };
}

test('a process that ends while the others start is replaced', async () => {
  const { server, nth } = supervise(3);
  const first = await nth(0);
  first.start();
  const [second, third] = [await nth(1), await nth(2)];
  second.start();
  first.end();
  const replacement = await nth(0, 2);
  expect(replacement.port).toBe(PORT);
  replacement.start();
  third.start();
  expect((await server).port).toBe(PORT);
  second.end();
  await nth(1, 2);
});

test('a process that ends again and again is started after increasing pauses, until one runs for a while', async () => {
  const { server, nth, pauses, time } = supervise(1);
  (await nth(0)).start();
  await server;
  for (let count = 1; count <= 8; count++) {
    (await nth(0, count)).end();
    (await nth(0, count + 1)).start();
  }
  expect(pauses).toEqual([100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
  await nextRound();
  time.now += 2 * MINUTE;
  (await nth(0, 9)).end();
  await nth(0, 10);
  expect(pauses.at(-1)).toBe(100);
});

test('a process that replies to no ping for a minute is killed and replaced', async () => {
  const { server, nth, time } = supervise(1);
  const hung = await nth(0);
  hung.start();
  await server;
  hung.replies = false;
  for (let check = 0; check < 13; check++) time.pass();
  (await nth(0, 2)).start();
});
