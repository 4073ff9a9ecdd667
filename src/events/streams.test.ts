import { expect, test } from 'bun:test';
import type { Events } from '../kernel/events.ts';
import { createLog } from '../kernel/log.ts';
import { createMetrics } from '../kernel/metrics/metrics.ts';
import { createStreams } from './streams.ts';

test('a stream that is being opened when the server stops is refused, and its slot is free again', async () => {
  const slot = Promise.withResolvers<() => Promise<void>>();
  const events: Events = { publish() {}, listen: () => () => {}, onGap: () => () => {}, flush() {} };
  const streams = createStreams({
    events,
    topics: [],
    rolesOf: [],
    slots: { take: () => slot.promise, async sweep() {}, stop() {} },
    log: createLog('silent'),
    metrics: createMetrics(),
  });
  const opened = streams.open({
    credentialId: 'session',
    memberId: 'ann',
    role: 'user',
    owner: { id: 'ann', streams: 10 },
  });
  streams.stop();
  let isReleased = false;
  slot.resolve(async () => {
    isReleased = true;
  });
  await expect(opened).rejects.toMatchObject({ code: 'unavailable' });
  expect(isReleased).toBe(true);
});
