import { afterEach, expect, test } from 'bun:test';
import { freshDirectory } from '../../test/harness/backends.ts';
import { until } from '../../test/harness/until.ts';
import { shapeConfig } from '../config/config.ts';
import { readSettings } from '../config/env.ts';
import type { ReadyMessage } from './messages.ts';
import type { ServerProcess } from './process.ts';
import { startProcesses } from './supervisor.ts';

/** A process that starts and ends when the test says so. */
interface FakeProcess extends ServerProcess {
  slot: number;
  port: number;
  start(): void;
  end(): void;
}

const PORT = 4321;
const stops: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** Starts a server of fake processes. */
function supervise(processes: number) {
  const settings = readSettings({}, { POSTHOUSE_DATA_DIR: freshDirectory(), PORT: '0' });
  const { config } = shapeConfig(settings);
  const started: FakeProcess[] = [];
  const server = startProcesses({ ...config, processes, logLevel: 'silent' }, settings, {
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
        ready: ready.promise,
        exited: exited.promise,
        start: () => ready.resolve({ type: 'ready', url: 'http://x', port: PORT, setupLink: null }),
        end,
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
  return { server, nth };
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
