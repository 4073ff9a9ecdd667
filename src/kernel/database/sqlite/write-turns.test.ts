import { expect, test } from 'bun:test';
import { createListeners, type Signals } from '../signals.ts';
import { createWriteTurns } from './write-turns.ts';

/** Longer than a test may take: a wait ends by a signal only. */
const FOREVER = 600_000;

/** The signals of several processes, each of which receives its own too. */
function connected(count: number): Signals[] {
  const all = Array.from({ length: count }, createListeners);
  return all.map((own) => ({
    emit: (channel, payload = '') => {
      for (const { notify } of all) notify(channel, payload);
    },
    listen: own.add,
    close: async () => {},
  }));
}

/** Adds `name` to `events` when the wait ends. */
async function note(events: string[], name: string, wait: Promise<void>): Promise<void> {
  await wait;
  events.push(name);
}

test('a process that released the lock waits until the others that want it have had their turn', async () => {
  const [first, second] = connected(2).map(createWriteTurns);
  if (!first || !second) throw new Error('there are two');
  const events: string[] = [];
  await first.yield();
  const waited = note(events, 'second waits no more', second.wait(FOREVER));
  first.released();
  await waited;
  const yielded = note(events, 'first waits no more', first.yield());
  events.push('second writes');
  second.released();
  await yielded;
  expect(events).toEqual(['second waits no more', 'second writes', 'first waits no more']);
  // No other process wants the lock now.
  first.released();
  await first.yield();
});

test('a process does not wait for itself', async () => {
  const [only] = connected(1).map(createWriteTurns);
  await only?.wait(1);
  only?.released();
  await only?.yield();
});

test('a wait ends without a signal', async () => {
  const [, second] = connected(2).map(createWriteTurns);
  await second?.wait(1);
});
