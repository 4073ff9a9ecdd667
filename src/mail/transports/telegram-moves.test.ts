import { expect, test } from 'bun:test';
import { afterFile } from '../../../test/harness/cleanup.ts';
import { freshDatabase } from '../../../test/harness/database.ts';
import type { Claimed } from '../../kernel/outbox/message.ts';
import type { Clients } from '../clients/clients.ts';
import type { TelegramPayload } from '../payload.ts';
import { createTelegramTransport } from './telegram.ts';

const payload: TelegramPayload = {
  recipient: '-5',
  bot: 'default',
  text: 'Text',
  plain: 'Text',
  parseMode: null,
  entities: [],
  silent: false,
  noPreview: false,
};

/** Starts a Telegram server that moves each chat to the one that `next` returns; null = it accepts the message. */
async function setUp(next: (chatId: string) => number | null) {
  const chats: string[] = [];
  const telegram = Bun.serve({
    port: 0,
    async fetch(request) {
      const { chat_id } = (await request.json()) as { chat_id: string };
      chats.push(chat_id);
      const migrate_to_chat_id = next(chat_id);
      if (migrate_to_chat_id === null) return Response.json({ ok: true, result: { message_id: 7 } });
      const parameters = { migrate_to_chat_id };
      return Response.json({ ok: false, error_code: 400, description: 'Bad Request: upgraded', parameters });
    },
  });
  afterFile(() => telegram.stop(true));
  const database = await freshDatabase('sqlite');
  const transport = createTelegramTransport({
    apiUrl: telegram.url.origin,
    token: '1:token',
    clients: {} as Clients,
    limit: () => 0,
    database,
  });
  const message = { payload, sandbox: false, clientId: null, errorCode: null } as Claimed;
  return {
    chats,
    deliver: () => transport.deliver(message, AbortSignal.timeout(60_000)),
    moves: () => database.read.selectFrom('mail_telegram_moves').selectAll().execute(),
  };
}

test('a delivery follows one move of a group, and stores the newest for its recipient', async () => {
  let moves = 0;
  const { chats, deliver, moves: stored } = await setUp(() => (chats.length > 50 ? null : -1_000 - ++moves));
  expect(await deliver()).toMatchObject({ outcome: 'later', code: 'telegram_trouble' });
  expect(chats).toEqual(['-5', '-1001']);
  expect(await deliver()).toMatchObject({ outcome: 'later' });
  expect(chats.slice(2)).toEqual(['-1002', '-1003']);
  expect(await stored()).toEqual([{ chat_id: '-5', new_chat_id: '-1004' }]);
});

test('a group that moved twice is found directly the next time', async () => {
  const ways: Record<string, number> = { '-5': -6, '-6': -7 };
  const { chats, deliver } = await setUp((chatId) => ways[chatId] ?? null);
  expect(await deliver()).toMatchObject({ outcome: 'later' });
  expect(await deliver()).toMatchObject({ outcome: 'sent', result: { messageId: 7 } });
  expect(chats).toEqual(['-5', '-6', '-7']);
});
