import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { freshSettings, ONE_BACKEND } from './harness/backends.ts';
import {
  addMailClient,
  type MailClient,
  messageState,
  post,
  untilAttempted,
  untilStatus,
} from './harness/mail.ts';
import { type Posthouse, startPosthouse, startProcess } from './harness/posthouse.ts';
import { everythingStored } from './harness/stored.ts';
import { until } from './harness/until.ts';
import { startTelegramStandIn, type TelegramStandIn } from './stand-ins/telegram.ts';

const SERVER_TOKEN = '1000001:canary-server-token-AAAAAAAAAAAAAAAAAA';
const CLIENT_TOKEN = '1000002:canary-client-token-BBBBBBBBBBBBBBBBBB';
const CALLER_TOKEN = '1000003:canary-caller-token-CCCCCCCCCCCCCCCCCC';
const WRONG_TOKEN = '1000004:canary-wrong-token-DDDDDDDDDDDDDDDDDDDD';

describe.each(ONE_BACKEND)('requesttelegram on %s', (backend) => {
  let telegram: TelegramStandIn;
  let posthouse: Posthouse;
  let settings: Record<string, string>;
  let client: MailClient;
  let chats = 5000;
  /** A different chat for each message, so that the limit of a chat does not apply. */
  const freshChat = () => {
    const id = String(++chats);
    telegram.addChat(id);
    return id;
  };
  const send = (body: Record<string, unknown>, headers: Record<string, string> = {}) =>
    post(posthouse, '/requesttelegram', { ...client, Message: 'Hello', ...body }, headers);
  const inChat = (id: string) => telegram.messages.filter((message) => message.chat_id === id);

  beforeAll(async () => {
    telegram = await startTelegramStandIn({
      tokens: [SERVER_TOKEN, CLIENT_TOKEN, CALLER_TOKEN],
      chats: ['42', '43', '@news', '-1001'],
    });
    settings = {
      ...(await freshSettings(backend)),
      POSTHOUSE_TELEGRAM_TOKEN: SERVER_TOKEN,
      POSTHOUSE_TELEGRAM_API_URL: telegram.url,
      POSTHOUSE_LOG_LEVEL: 'trace',
    };
    posthouse = await startPosthouse(settings);
    client = await addMailClient(settings, 'app', '--services', 'telegram');
  });
  afterAll(async () => {
    await posthouse.stop();
    await telegram.stop();
  });

  test('a message to users and channels is sent and acknowledged', async () => {
    const { status, body } = await send({
      Recipients: ['42', '@news', -1001, '42'],
      Message: 'a < b & c _d_ *e*',
    });
    expect(status).toBe(200);
    expect<unknown>(body).toEqual({
      Id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      Status: 'Sent',
      MessageId: expect.stringMatching(/^\d+$/),
      Recipients: ['42', '@news', '-1001'].map((Address) => ({ Address, Status: 'Sent', Error: null })),
    });
    expect(telegram.messages.map(({ chat_id }) => chat_id).sort()).toEqual(['-1001', '42', '@news']);
    expect(telegram.messages[0]).toMatchObject({
      token: SERVER_TOKEN,
      text: 'a < b & c _d_ *e*',
      parse_mode: null,
      silent: false,
      noPreview: false,
    });
    expect(await messageState(posthouse, client, body.Id)).toMatchObject({
      Status: 'Sent',
      MessageId: body.MessageId,
      Recipients: body.Recipients,
    });
  });

  test('title, markup and flags are passed on', async () => {
    const [plain, html, markdown] = [freshChat(), freshChat(), freshChat()];
    await send({ recipients: plain, TITLE: 'T <1>', disablenotification: true, DisableLinkPreview: true });
    expect(inChat(plain)[0]).toMatchObject({
      text: 'T <1>\n\nHello',
      entities: [{ type: 'bold', offset: 0, length: 5 }],
      silent: true,
      noPreview: true,
    });
    await send({ Recipients: html, Title: 'a < b & c', Message: '<i>x</i>', ParseMode: 'Html' });
    expect(inChat(html)[0]).toMatchObject({
      text: '<b>a &lt; b &amp; c</b>\n\n<i>x</i>',
      parse_mode: 'HTML',
    });
    await send({ Recipients: markdown, Title: 'v1.2 (new!)', Message: '_x_', ParseMode: 'MarkdownV2' });
    expect(inChat(markdown)[0]).toMatchObject({
      text: '*v1\\.2 \\(new\\!\\)*\n\n_x_',
      parse_mode: 'MarkdownV2',
    });
  });

  test('rejected markup is sent as plain text', async () => {
    for (const [ParseMode, Message] of [
      ['Html', 'a < b and <b>c'],
      ['MarkdownV2', 'costs 1.50!'],
    ]) {
      const chat = freshChat();
      expect((await send({ Recipients: chat, ParseMode, Message })).status).toBe(200);
      expect(inChat(chat)).toEqual([expect.objectContaining({ text: Message, parse_mode: null })]);
    }
    expect(await everythingStored(settings)).toContain('"markupRefused":true');
  });

  test('long text is sent in several messages, in order and complete', async () => {
    const [plain, html, markdown] = [freshChat(), freshChat(), freshChat()];
    const text = Array.from({ length: 900 }, (_, i) => `word${i}👩‍👩‍👧‍👦`).join(' ');
    const marked = `<b>${'x &amp; y '.repeat(600)}</b><a href="https://example.org/?a=1&amp;b">${'link '.repeat(300)}</a>`;
    const sent = await Promise.all([
      send({ Recipients: plain, Message: text }),
      send({ Recipients: html, ParseMode: 'Html', Message: marked }),
      send({ Recipients: markdown, ParseMode: 'MarkdownV2', Message: `*${'a\\.b '.repeat(2000)}*` }),
    ]);
    for (const { body } of sent) await untilStatus(posthouse, client, body.Id, 'Sent');
    expect(inChat(plain).length).toBeGreaterThan(2);
    expect(
      inChat(plain)
        .map((message) => message.text)
        .join(''),
    ).toBe(text);
    for (const { text: piece } of inChat(plain)) expect(piece).toMatch(/^word\d+👩‍👩‍👧‍👦/u);
    expect(
      inChat(html)
        .map((message) => message.text)
        .join(''),
    ).toBe('x & y '.repeat(600) + 'link '.repeat(300));
    expect(inChat(html)[0]?.entities).toEqual([
      { type: 'bold', offset: 0, length: 3600 },
      { type: 'text_link', offset: 3600, length: 495, url: 'https://example.org/?a=1&b' },
    ]);
    expect(inChat(html).at(-1)?.entities.at(-1)).toMatchObject({
      type: 'text_link',
      url: 'https://example.org/?a=1&b',
    });
    expect(
      inChat(markdown)
        .map((message) => message.text)
        .join(''),
    ).toBe('a.b '.repeat(2000));
  }, 60_000);

  test.each([1, 4095, 4096, 4097])('a text of exactly %d units is complete', async (length) => {
    const sendAll = ['x', '😀', 'e\u0301'].map(async (unit) => {
      const chat = freshChat();
      const text = unit
        .repeat(Math.ceil(length / unit.length))
        .slice(0, unit === '😀' ? length + (length % 2) : length);
      const { body } = await send({ Recipients: chat, Message: text });
      await untilStatus(posthouse, client, body.Id, 'Sent');
      expect(
        inChat(chat)
          .map((message) => message.text)
          .join(''),
      ).toBe(text);
      expect(inChat(chat)).toHaveLength(text.length > 4096 ? 2 : 1);
    });
    await Promise.all(sendAll);
  });

  test.each([
    ['all recipients together', { Message: '<b>x</b>'.repeat(20_000), recipients: 100 }],
    ['one message', { Message: `<a href="${'x'.repeat(200_000)}">x</a>`, recipients: 1 }],
  ])('a text whose markup is large for %s is refused', async (_, { Message, recipients }) => {
    const Recipients = Array.from({ length: recipients }, () => freshChat());
    const { status, body } = await send({ Recipients, ParseMode: 'Html', Message });
    expect([status, body.errors]).toEqual([
      400,
      [{ path: 'Message', message: 'has too much markup for its length' }],
    ]);
  });

  test('the client’s own bot is used, or the caller’s for one message', async () => {
    const own = await addMailClient(
      settings,
      'with bot',
      '--services',
      'telegram',
      '--telegram-token',
      CLIENT_TOKEN,
    );
    const [first, second] = [freshChat(), freshChat()];
    await post(posthouse, '/requesttelegram', { ...own, Recipients: first, Message: 'x' });
    await post(posthouse, '/requesttelegram', {
      ...own,
      Recipients: second,
      Message: 'x',
      BotToken: CALLER_TOKEN,
    });
    expect([inChat(first)[0]?.token, inChat(second)[0]?.token]).toEqual([CLIENT_TOKEN, CALLER_TOKEN]);
    const wrong = await send({ Recipients: '42', BotToken: WRONG_TOKEN });
    expect([wrong.status, wrong.body.code, wrong.body.detail]).toEqual([
      502,
      'platform_rejected',
      'Unauthorized',
    ]);
  });

  test('permanent failures are reported', async () => {
    telegram.block('43');
    const blocked = await send({ Recipients: '43' });
    expect([blocked.status, blocked.body.code]).toEqual([502, 'platform_rejected']);
    expect(blocked.body.detail).toContain('blocked by the user');
    const chat = freshChat();
    const some = await send({ Recipients: [chat, '999999'] });
    expect([some.status, some.body.Status]).toEqual([200, 'Sent']);
    expect(some.body.Recipients).toEqual([
      { Address: chat, Status: 'Sent', Error: null },
      { Address: '999999', Status: 'Failed', Error: 'Bad Request: chat not found' },
    ]);
  });

  test('temporary failures are retried', async () => {
    const refused: { id: string; chat: string }[] = [];
    for (const trouble of [
      {
        kind: 'status',
        status: 429,
        body: {
          ok: false,
          error_code: 429,
          description: 'Too Many Requests',
          parameters: { retry_after: 1 },
        },
      },
      {
        kind: 'status',
        status: 500,
        body: { ok: false, error_code: 500, description: 'Internal Server Error' },
      },
      { kind: 'badGateway' },
    ] as const) {
      const chat = freshChat();
      telegram.trouble(trouble);
      const { status, body } = await send({ Recipients: chat });
      expect([trouble, status, body.Status]).toEqual([trouble, 202, 'Queued']);
      refused.push({ id: body.Id, chat });
    }
    for (const { id, chat } of refused) {
      expect(await untilStatus(posthouse, client, id, 'Sent')).toMatchObject({ Attempts: 2 });
      expect(inChat(chat)).toHaveLength(1);
    }
  });

  test('a request without a response has status unknown and is not sent twice', async () => {
    for (const kind of ['drop', 'dropAfter'] as const) {
      const chat = freshChat();
      telegram.trouble({ kind });
      const { status, body } = await send({ Recipients: chat });
      expect([status, body.Status, body.Recipients[0]?.Status]).toEqual([202, 'Unknown', 'Unknown']);
      expect(await messageState(posthouse, client, body.Id)).toMatchObject({
        Status: 'Unknown',
        NextAttempt: null,
      });
      expect(inChat(chat)).toHaveLength(kind === 'drop' ? 0 : 1);
    }
  });

  test('after a request without a response, others wait until the server responds', async () => {
    const [lost, kept] = [freshChat(), freshChat()];
    // A response to the last message.
    await send({ Recipients: freshChat() });
    // The first message, and the request that precedes the second one.
    telegram.trouble({ kind: 'drop' }, { kind: 'drop' });
    expect((await send({ Recipients: lost })).body.Status).toBe('Unknown');
    const { status, body } = await send({ Recipients: kept });
    expect([status, body.Status]).toEqual([202, 'Queued']);
    expect(await untilStatus(posthouse, client, body.Id, 'Sent')).toMatchObject({ Attempts: 2 });
    expect([inChat(lost).length, inChat(kept).length]).toEqual([0, 1]);
  });

  test('a group that became a supergroup gets its messages there', async () => {
    const group = `-${++chats}`;
    const supergroup = `-100${++chats}`;
    telegram.migrate(group, supergroup);
    expect((await send({ Recipients: group })).status).toBe(200);
    // 202 while the limit of one message per second in a chat applies.
    expect([200, 202]).toContain((await send({ Recipients: group })).status);
    await until(() => inChat(supergroup).length === 2);
    expect(telegram.formerIds.filter((id) => id === group)).toHaveLength(1);
  });

  test('the platform’s limits are respected in advance', async () => {
    const chat = freshChat();
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, i) =>
        send({ Recipients: chat, Message: `n${i}` }, { Prefer: 'respond-async' }),
      ),
    );
    for (const { body } of answers)
      expect((await untilStatus(posthouse, client, body.Id, 'Sent')).Attempts).toBe(1);
    expect(inChat(chat)).toHaveLength(4);
  });

  test.each<[string, Record<string, unknown>]>([
    ['Recipients', {}],
    ['Recipients', { Recipients: [] }],
    ['Recipients', { Recipients: 'news' }],
    ['Recipients', { Recipients: '../getMe' }],
    ['Recipients.1', { Recipients: ['42', '@a\r\nb'] }],
    ['Recipients', { Recipients: Array.from({ length: 101 }, (_, i) => i + 1) }],
    ['Message', { Recipients: '42', Message: undefined }],
    ['Message', { Recipients: '42', Message: ' \n ' }],
    ['Message', { Recipients: '42', Message: 7 }],
    ['Message', { Recipients: ['42', '43'], Message: 'x'.repeat(1_040_000) }],
    ['Title', { Recipients: '42', Title: 'x'.repeat(257) }],
    ['ParseMode', { Recipients: '42', ParseMode: 'Markdown' }],
    ['DisableNotification', { Recipients: '42', DisableNotification: 'yes' }],
    ['BotToken', { Recipients: '42', BotToken: `${CALLER_TOKEN}/../x` }],
    ['Recipients', { Recipients: '42', recipients: '43' }],
  ])('%s is rejected by name', async (path, fields) => {
    const posted = telegram.messages.length;
    const { status, body } = await send(fields);
    expect([status, body.code]).toEqual([400, 'invalid_request']);
    expect(body.errors?.map((error) => error.path).join()).toContain(path.split('.')[0] ?? '');
    expect(JSON.stringify(body)).not.toContain('canary');
    expect(telegram.messages.length).toBe(posted);
  });

  test('credentials and services are checked', async () => {
    expect((await send({ ClientSecret: 'x' })).body.code).toBe('bad_client');
    const mailOnly = await addMailClient(settings, 'mail only', '--services', 'email');
    expect((await send({ ...mailOnly })).body.code).toBe('service_not_allowed');
  });

  test('a repeat with an idempotency key sends once', async () => {
    const chat = freshChat();
    const key = { 'Idempotency-Key': crypto.randomUUID() };
    const first = await send({ Recipients: chat, BotToken: CALLER_TOKEN }, key);
    expect((await send({ Recipients: chat, BotToken: WRONG_TOKEN }, key)).body).toEqual(first.body);
    expect(inChat(chat)).toHaveLength(1);
    expect((await send({ Recipients: chat, Message: 'other' }, key)).body.code).toBe('idempotency_conflict');
  });

  test('acknowledged messages survive a SIGKILL, and tokens are not readable anywhere', async () => {
    const own = { ...settings, ...(await freshSettings(backend)) };
    const first = await startProcess(own);
    const sender = await addMailClient(
      own,
      'app',
      '--services',
      'telegram',
      '--telegram-token',
      CLIENT_TOKEN,
    );
    const chat = freshChat();
    telegram.trouble({
      kind: 'status',
      status: 500,
      body: { ok: false, error_code: 500, description: 'Internal Server Error' },
    });
    const { status, body } = await post(first, '/requesttelegram', {
      ...sender,
      Recipients: chat,
      Message: 'x',
      BotToken: CALLER_TOKEN,
    });
    expect(status).toBe(202);
    await untilAttempted(first, sender, body.Id);
    await first.kill();
    const waiting = await everythingStored(own);
    const second = await startPosthouse(own);
    await telegram.arrived((message) => message.chat_id === chat);
    await untilStatus(second, sender, body.Id, 'Sent');
    await second.stop();
    const places = [
      waiting,
      await everythingStored(own),
      await everythingStored(settings),
      first.output(),
      second.output(),
      posthouse.output(),
    ];
    for (const [index, text] of places.entries())
      expect([index, text.includes('canary')]).toEqual([index, false]);
    expect(posthouse.output()).toContain('delivery attempted');
  });
});

describe.each(ONE_BACKEND)('Telegram with nothing configured, on %s', (backend) => {
  test('goes to the sandbox, as the response states', async () => {
    const settings = await freshSettings(backend);
    const posthouse = await startPosthouse(settings);
    const client = await addMailClient(settings, 'app', '--services', 'telegram');
    const { status, body } = await post(posthouse, '/requesttelegram', {
      ...client,
      Recipients: '42',
      Message: 'x',
    });
    expect([status, body.Status, body.sandbox, body.MessageId]).toEqual([200, 'Sent', true, null]);
    await posthouse.stop();
  });
});
