import { describe, expect, test } from 'bun:test';
import { createLog } from '../log.ts';
import { createDeliveries } from './deliveries.ts';
import type { Claimed, Delivery } from './message.ts';

const SENT: Delivery = { outcome: 'sent', result: null };
const LATER: Delivery = { outcome: 'later', code: 'trouble', reason: 'the peer is unavailable' };

const row = (position: number) => ({ id: `row ${position}`, kind: 'test', position }) as Claimed;
const rows = (...positions: number[]) => positions.map(row);

/** Delivers a run by a transport that takes `ms` for each row. */
async function deliver(run: readonly Claimed[], { ms = 1, outcomes = [] as Delivery[] } = {}) {
  let now = 0;
  const events: string[] = [];
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const deliveries = createDeliveries({
    transport: {
      kind: 'test',
      concurrency: 4,
      inRuns: true,
      async deliver({ position }) {
        now += ms;
        events.push(`deliver ${position}`);
        return outcomes[run.findIndex((each) => each.position === position)] ?? SENT;
      },
    },
    log: createLog('silent'),
    finished({ message, delivery }) {
      events.push(`${delivery.outcome} ${message.position}`);
      if (deliveries.active === 0) resolve();
    },
    unused: (rest) => events.push(...rest.map(({ position }) => `unused ${position}`)),
    now: () => now,
  });
  const before = deliveries.runLength;
  deliveries.start(run);
  expect(deliveries.active).toBe(1);
  await ended;
  return { events, before, after: deliveries.runLength };
}

describe('a run', () => {
  test('is delivered in order, each row after the one before it was sent', async () => {
    const { events } = await deliver(rows(3, 4, 5));
    expect(events).toEqual(['deliver 3', 'sent 3', 'deliver 4', 'sent 4', 'deliver 5', 'sent 5']);
  });

  test('ends at a row that was not sent', async () => {
    const { events } = await deliver(rows(1, 2, 3), { outcomes: [SENT, LATER] });
    expect(events).toEqual(['deliver 1', 'sent 1', 'deliver 2', 'unused 3', 'later 2']);
  });

  test('ends where a row is missing', async () => {
    const { events } = await deliver(rows(1, 3));
    expect(events).toEqual(['deliver 1', 'unused 3', 'sent 1']);
  });

  test('ends after 50 ms', async () => {
    const { events } = await deliver(rows(1, 2, 3), { ms: 25 });
    expect(events).toEqual(['deliver 1', 'sent 1', 'deliver 2', 'unused 3', 'sent 2']);
  });

  test.each([
    [0, 16],
    [10, 5],
    [300, 1],
  ])('after rows that took %d ms each has %d rows', async (ms, length) => {
    expect(await deliver(rows(1, 2, 3, 4, 5), { ms })).toMatchObject({ before: 1, after: length });
  });

  test('after rows that failed at once does not grow', async () => {
    expect(await deliver(rows(1), { ms: 0, outcomes: [LATER] })).toMatchObject({ before: 1, after: 1 });
  });
});

test('deliveries that are interrupted count as not attempted, and later ones run', async () => {
  const events: string[] = [];
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const deliveries = createDeliveries({
    transport: {
      kind: 'test',
      concurrency: 4,
      deliver: ({ position }, signal) =>
        position === 2
          ? Promise.resolve(SENT)
          : new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    },
    log: createLog('silent'),
    finished({ message, delivery }) {
      events.push(`${delivery.outcome} ${message.position}`);
      if (deliveries.active === 0) resolve();
    },
    unused() {},
  });
  deliveries.start(rows(1));
  deliveries.interrupt();
  deliveries.start(rows(2));
  await ended;
  expect(events.sort()).toEqual(['held 1', 'sent 2']);
});
