import { expect, test } from 'bun:test';
import { nextRound } from '../kernel/event-loop/next-round.ts';
import { CHECK_MS, createHangs } from './hangs.ts';
import type { ServerProcess } from './process.ts';

interface State {
  isOpened?: boolean;
  isReady?: boolean;
}

/** Watches a process; `pass` runs checks `ms` apart and returns what was found. */
async function watch({ isOpened = true, isReady = true }: State = {}) {
  let time = 0;
  const found: string[] = [];
  const never = new Promise<never>(() => {});
  let pinged = Promise.withResolvers<void>();
  const child = {
    opened: isOpened ? Promise.resolve() : never,
    ready: isReady ? Promise.resolve() : never,
    exited: never,
    ping() {
      pinged = Promise.withResolvers<void>();
      return pinged.promise;
    },
    kill: () => void found.push('killed'),
  };
  const hangs = createHangs({ now: () => time, found: (slot, reason) => found.push(`${slot}: ${reason}`) });
  hangs.watch(1, child as unknown as ServerProcess);
  await nextRound();
  const pass = async (checks: number, ms = CHECK_MS) => {
    for (let check = 0; check < checks; check++) {
      time += ms;
      hangs.check();
      await nextRound();
    }
    return found;
  };
  return { reply: () => pinged.resolve(), pass };
}

test('a process that does not reply for a minute is killed once', async () => {
  const { pass } = await watch();
  expect(await pass(12)).toEqual([]);
  expect(await pass(10)).toEqual(['1: its event loop is blocked', 'killed']);
});

test('a process that replies late is not killed', async () => {
  const { reply, pass } = await watch();
  for (let delay = 0; delay < 3; delay++) {
    expect(await pass(12)).toEqual([]);
    reply();
    await nextRound();
  }
});

test('checks that are late themselves do not count', async () => {
  const { pass } = await watch();
  expect(await pass(100, 3 * CHECK_MS)).toEqual([]);
});

test('a process that opened its database must become ready, and may take any time to open it', async () => {
  const opened = await watch({ isReady: false });
  for (let check = 0; check < 59; check++) {
    expect(await opened.pass(1)).toEqual([]);
    opened.reply();
  }
  expect(await opened.pass(1)).toEqual(['1: it does not become ready', 'killed']);
  const migrates = await watch({ isReady: false, isOpened: false });
  expect(await migrates.pass(1_000)).toEqual([]);
});
