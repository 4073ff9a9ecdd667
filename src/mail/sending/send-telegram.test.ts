import { expect, test } from 'bun:test';
import type { NewMessage } from '../../kernel/outbox/message.ts';
import type { Client } from '../clients/clients.ts';
import type { Rendering } from '../compose/rendering/rendering.ts';
import type { TelegramRequest } from '../compose/telegram/request.ts';
import { createSendTelegram } from './send-telegram.ts';

/** Returns the lanes of a message to `42`. */
async function lanesOf({ token, clientToken = false }: { token?: string; clientToken?: boolean }) {
  let rows: readonly NewMessage[] = [];
  const send = createSendTelegram({
    rendering: { telegram: async () => [{ text: 'Hi' }, { text: 'again' }] } as unknown as Rendering,
    configured: true,
    async accept({ compose, answer }) {
      rows = compose('message');
      return answer('message', null);
    },
  });
  await send({
    client: { id: 'app', has: { telegramToken: clientToken } } as unknown as Client,
    request: { Recipients: ['42'], Message: 'Hi', ...(token && { BotToken: token }) } as TelegramRequest,
    route: 'requesttelegram',
    delivery: { idempotencyKey: null, async: true },
    fingerprint: '',
  });
  return [...new Set(rows.map(({ lane }) => lane))];
}

test('a message to a chat waits for those of the same token only', async () => {
  const lanes = [
    await lanesOf({ token: '123:of-the-bot' }),
    await lanesOf({ token: '123:forged' }),
    await lanesOf({ clientToken: true }),
    await lanesOf({}),
  ].flat();
  expect(lanes).toHaveLength(4);
  expect(new Set(lanes).size).toBe(4);
  expect(await lanesOf({ token: '123:forged' })).toEqual([lanes[1] ?? '']);
});

test('the name of a lane contains no token', async () => {
  expect(String(await lanesOf({ token: '123:canary' }))).not.toContain('canary');
});
