import { expect, test } from 'bun:test';
import type { Events, Watcher } from '../kernel/events.ts';
import type { SharedSlots } from '../kernel/limits/shared-slots.ts';
import { createLog } from '../kernel/log.ts';
import { createMetrics } from '../kernel/metrics/metrics.ts';
import { createStreams } from './streams.ts';

const EVENTS: Events = { publish() {}, listen: () => () => {}, onGap: () => () => {}, flush() {} };

function streamsWith(take: SharedSlots['take']) {
  return createStreams({
    events: EVENTS,
    topics: [],
    rolesOf: [],
    slots: { take, async sweep() {}, stop() {} },
    log: createLog('silent'),
    metrics: createMetrics(),
  });
}

const watcherOf = (id: string): Watcher => ({
  credentialId: `session of ${id}`,
  memberId: id,
  role: 'user',
  owner: { id, streams: 1_000 },
});

test('a stream that is being opened when the server stops is refused, and its slot is free again', async () => {
  const slot = Promise.withResolvers<() => Promise<void>>();
  const streams = streamsWith(() => slot.promise);
  const opened = streams.open(watcherOf('ann'));
  streams.stop();
  let isReleased = false;
  slot.resolve(async () => {
    isReleased = true;
  });
  await expect(opened).rejects.toMatchObject({ code: 'unavailable' });
  expect(isReleased).toBe(true);
});

test('when a process has 2,000 streams, a new one ends the newest of the owner with the most', async () => {
  const held = new Map<string, number>();
  const streams = streamsWith(async (owner) => {
    held.set(owner, (held.get(owner) ?? 0) + 1);
    return async () => void held.set(owner, (held.get(owner) ?? 0) - 1);
  });
  const bodies = [];
  for (let count = 0; count < 1_002; count++) bodies.push(await streams.open(watcherOf('ann')));
  for (let count = 0; count < 998; count++) await streams.open(watcherOf('ben'));

  await streams.open(watcherOf('eve'));
  await streams.open(watcherOf('ben'));
  const ended = await Promise.all(bodies.slice(-3).map(async (body) => (await body.getReader().read()).done));
  expect(ended).toEqual([false, true, true]);
  expect(Object.fromEntries(held)).toEqual({ ann: 1_000, ben: 999, eve: 1 });

  for (const owner of ['ben', 'ann']) {
    await expect(streams.open(watcherOf(owner))).rejects.toMatchObject({ code: 'unavailable' });
  }
  streams.stop();
});
