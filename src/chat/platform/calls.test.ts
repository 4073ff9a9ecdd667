import { expect, test } from 'bun:test';
import type { Target } from '../directory/targets.ts';
import { createCall } from './calls.ts';

const target: Target = {
  client: { id: 'client', sealedToken: 'sealed', relayKeyHash: null },
  guild: { id: 'guild', platformId: '1' },
  channel: { id: 'channel', platformId: '2' },
  disabled: null,
  pause: null,
  limitedUntil: 0,
};

function setUp() {
  const clock = { at: 1_800_000_000_000, now: () => clock.at };
  const call = createCall({
    bots: () => ({ call: async () => ({ id: '3' }) }),
    pauses: {
      limit: async () => {},
      pause: async () => {},
      lift: async () => {},
      expedite: async () => {},
      dueForProbe: async () => [],
    },
    invalidRequests: { count() {}, waitMs: () => 0 },
    siteUrl: 'https://chat.example.org',
    clock,
  });
  const send = (limitedUntil = 0) =>
    call(
      { ...target, limitedUntil },
      { method: 'POST', route: '/x', body: {} },
      false,
      new AbortController().signal,
    );
  return { clock, send };
}

test('nothing is sent in the first second, and the clock being set back does not lengthen it', async () => {
  const { clock, send } = setUp();
  clock.at -= 3_600_000;
  expect(await send()).toMatchObject({ outcome: 'held', retryAfterMs: 1_000 });
  clock.at += 1_000;
  expect(await send()).toMatchObject({ outcome: 'sent' });
});

test('a limit of the platform delays a message by 15 minutes at most', async () => {
  const { clock, send } = setUp();
  clock.at += 1_000;
  const longest = 15 * 60_000;
  expect(await send(clock.at + longest)).toMatchObject({ outcome: 'held', retryAfterMs: longest });
  // The clock was set back.
  expect(await send(clock.at + 3_600_000)).toMatchObject({ outcome: 'sent' });
});
