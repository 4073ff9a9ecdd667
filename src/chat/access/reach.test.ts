import { expect, test } from 'bun:test';
import type { Target } from '../directory/targets.ts';
import { createReach } from './reach.ts';

const TARGET = {
  client: { id: 'client', sealedToken: 'sealed' },
  guild: { id: 'guild', platformId: '1' },
  channel: { id: 'channel', platformId: '2' },
} as Target;

test('a check ends when its queries take too long together', async () => {
  const bot = { call: () => new Promise(() => {}) };
  const reach = createReach({ bots: () => bot, clock: { now: () => 0 }, limitMs: 1 });
  expect(await reach.checkNow(TARGET)).toMatchObject({
    canSend: false,
    reason: 'platform_unreachable',
    detail: 'The platform did not respond in time.',
  });
});
