import { beforeEach, expect, test } from 'bun:test';
import { afterFile } from '../../../test/harness/cleanup.ts';
import { freshDatabase } from '../../../test/harness/database.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Claimed } from '../../kernel/outbox/message.ts';
import type { Clients } from '../clients/clients.ts';
import type { TelegramPayload } from '../payload.ts';
import { createTelegramTransport } from './telegram.ts';

const HTML = '<html>Sign in to this network</html>';

let database: Database;
beforeEach(async () => {
  database = await freshDatabase('sqlite');
});

/** Delivers messages to a server that responds with `respond`. */
function setUp(respond: (request: Request) => Response | Promise<Response>, recipient = '5') {
  const calls: string[] = [];
  const telegram = Bun.serve({
    port: 0,
    fetch(request) {
      calls.push(new URL(request.url).pathname.replace(/.*\//, ''));
      return respond(request);
    },
  });
  afterFile(() => telegram.stop(true));
  const transport = createTelegramTransport({
    apiUrl: telegram.url.origin,
    token: null,
    clients: {} as Clients,
    limit: () => 0,
    database,
  });
  const payload: TelegramPayload = {
    recipient,
    bot: 'caller',
    text: 'Text',
    plain: 'Text',
    parseMode: null,
    entities: [],
    silent: false,
    noPreview: false,
  };
  const message = { payload, secret: '1:token', sandbox: false, clientId: null, errorCode: null } as Claimed;
  return { calls, deliver: () => transport.deliver(message, AbortSignal.timeout(60_000)) };
}

const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });

test.each<[string, () => Response]>([
  ['HTML', () => new Response(HTML)],
  ['an empty body', () => new Response('')],
  ['204', () => new Response(null, { status: 204 })],
  ['truncated JSON', () => new Response('{"ok":true,"result":{"message_id":')],
  ['other JSON', () => json({ ok: false, error: 'quota' })],
  ['no result', () => json({ ok: true })],
  ['a result that is no message', () => json({ ok: true, result: 'x' })],
  ['an object as id', () => json({ ok: true, result: { message_id: { id: 7 } } })],
  ['a text as id', () => json({ ok: true, result: { message_id: 'x' } })],
])('after a successful response with %s, the message is unknown', async (_, respond) => {
  const { deliver } = setUp(respond);
  expect(await deliver()).toEqual({
    outcome: 'unknown',
    reason: 'the response after the message was sent did not come from Telegram',
  });
});

test.each([301, 400, 401, 403, 404, 413, 429, 502, 503])(
  'a page with status %d is none of Telegram: the message is sent later',
  async (status) => {
    const { deliver } = setUp(() => new Response(HTML, { status, headers: { Location: '/sign-in' } }));
    const reason = `status ${status}`;
    expect(await deliver()).toMatchObject({ outcome: 'later', code: 'telegram_trouble', reason });
  },
);

test.each([400, 401, 403, 404])('a refusal by Telegram with code %d is final', async (code) => {
  const { deliver } = setUp(() => json({ ok: false, error_code: code, description: 'Refused' }, code));
  expect(await deliver()).toMatchObject({ outcome: 'refused', code: 'telegram_refused', reason: 'Refused' });
});

test('after a response that is not Telegram’s, no message is sent until Telegram responds', async () => {
  let isTelegram = false;
  const result = { message_id: 7 };
  const { calls, deliver } = setUp(() => (isTelegram ? json({ ok: true, result }) : new Response(HTML)));
  expect(await deliver()).toMatchObject({ outcome: 'unknown' });
  expect(await deliver()).toMatchObject({ outcome: 'later', code: 'telegram_unreachable' });
  isTelegram = true;
  expect(await deliver()).toMatchObject({ outcome: 'sent', result: { messageId: 7 } });
  expect(calls).toEqual(['sendMessage', 'getMe', 'getMe', 'sendMessage']);
});

/** Delivers messages to a server that moves each chat to the one that `next` returns; null = it accepts the message. */
function setUpMoves(next: (chatId: string) => number | null) {
  const chats: string[] = [];
  const { deliver } = setUp(async (request) => {
    const { chat_id } = (await request.json()) as { chat_id: string };
    chats.push(chat_id);
    const migrate_to_chat_id = next(chat_id);
    if (migrate_to_chat_id === null) return json({ ok: true, result: { message_id: 7 } });
    const parameters = { migrate_to_chat_id };
    return json({ ok: false, error_code: 400, description: 'Bad Request: upgraded', parameters });
  }, '-5');
  const stored = () => database.read.selectFrom('mail_telegram_moves').selectAll().execute();
  return { chats, deliver, stored };
}

test('a delivery follows one move of a group, and stores the newest for its recipient', async () => {
  let moves = 0;
  const { chats, deliver, stored } = setUpMoves(() => (chats.length > 50 ? null : -1_000 - ++moves));
  expect(await deliver()).toMatchObject({ outcome: 'later', code: 'telegram_trouble' });
  expect(chats).toEqual(['-5', '-1001']);
  expect(await deliver()).toMatchObject({ outcome: 'later' });
  expect(chats.slice(2)).toEqual(['-1002', '-1003']);
  expect(await stored()).toEqual([{ chat_id: '-5', new_chat_id: '-1004' }]);
});

test('a group that moved twice is found directly the next time', async () => {
  const ways: Record<string, number> = { '-5': -6, '-6': -7 };
  const { chats, deliver } = setUpMoves((chatId) => ways[chatId] ?? null);
  expect(await deliver()).toMatchObject({ outcome: 'later' });
  expect(await deliver()).toMatchObject({ outcome: 'sent', result: { messageId: 7 } });
  expect(chats).toEqual(['-5', '-6', '-7']);
});
