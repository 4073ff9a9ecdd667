import { expect, test } from 'bun:test';
import { createCall } from './calls.ts';
import type { Target } from './targets.ts';

const target: Target = {
  client: { id: 'client', name: 'client', sealedToken: 'sealed', relayKeyHash: null },
  guild: { id: 'guild', platformId: '1' },
  channel: { id: 'channel', platformId: '2' },
  disabled: null,
  pause: null,
  limitedUntil: 0,
};

test('nothing is sent in the first second, and the clock being set back does not lengthen it', async () => {
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
  const send = () =>
    call(target, { method: 'POST', route: '/x', body: {} }, false, new AbortController().signal);
  clock.at -= 3_600_000;
  expect(await send()).toMatchObject({ outcome: 'held', retryAfterMs: 1_000 });
  clock.at += 1_000;
  expect(await send()).toMatchObject({ outcome: 'sent' });
});
