import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { addChatRig, type ChatChannel, sendChat } from './harness/chat.ts';
import { postJson } from './harness/json.ts';
import { addFullMailClient, type MailClient, post, type SendAnswer } from './harness/mail.ts';
import { type Posthouse, signInAdmin, startPosthouse } from './harness/posthouse.ts';
import { refusal } from './harness/refusal.ts';
import { until } from './harness/until.ts';
import { type DiscordStandIn, startDiscord } from './stand-ins/discord.ts';
import { type SmtpStandIn, startSmtpStandIn } from './stand-ins/smtp.ts';
import { startTelegramStandIn, type TelegramStandIn } from './stand-ins/telegram.ts';

const NOWHERE = '01900000-0000-7000-8000-000000000000';
const TOKEN = '1000001:token';

interface Shown {
  id: string;
  kind: string;
  status: string;
  title: string;
  to: string[];
  clientId: string | null;
  errorCode: string | null;
  error: string | null;
  parts: number;
}

describe.each(BACKENDS)('the administrators’ log of messages on %s', (backend) => {
  let smtp: SmtpStandIn;
  let telegram: TelegramStandIn;
  let discord: DiscordStandIn;
  let posthouse: Posthouse;
  let admin: Record<string, string>;
  let client: MailClient;
  let channel: ChatChannel;

  beforeAll(async () => {
    smtp = await startSmtpStandIn();
    telegram = await startTelegramStandIn({ tokens: [TOKEN], chats: ['77', '78'] });
    discord = await startDiscord();
    const settings = {
      ...(await freshSettings(backend)),
      POSTHOUSE_SMTP_URL: `smtp://${smtp.host}:${smtp.port}?tls=none`,
      POSTHOUSE_MAIL_FROM: 'post@example.org',
      POSTHOUSE_ALLOW_PRIVATE_HOSTS: 'true',
      POSTHOUSE_TELEGRAM_TOKEN: TOKEN,
      POSTHOUSE_TELEGRAM_API_URL: telegram.url,
      POSTHOUSE_DISCORD_API_URL: discord.url,
    };
    posthouse = await startPosthouse(settings);
    admin = (await signInAdmin(posthouse)).headers;
    client = await addFullMailClient(settings, 'owner@example.org');
    channel = await (await addChatRig(settings, discord)).addChannel();
  });
  afterAll(async () => {
    await posthouse.stop();
    await Promise.all([smtp.stop(), telegram.stop(), discord.stop()]);
  });

  const get = async <Answer>(path: string): Promise<{ status: number; body: Answer }> => {
    const answer = await posthouse.fetch(`/api/admin/messages${path}`, { headers: admin });
    return { status: answer.status, body: (await answer.json()) as Answer };
  };
  const list = async (query = '') => (await get<Shown[]>(query)).body;
  const find = async (id: string) => (await list()).find((message) => message.id === id);
  const resend = async (...ids: string[]) => {
    const answer = await postJson(posthouse, '/api/admin/messages/resend', { ids }, admin);
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { resent: string[] }).resent;
  };
  const cancel = (id: string) =>
    posthouse.fetch(`/api/admin/messages/${id}/cancel`, { method: 'POST', headers: admin });
  const mail = async (subject: string, more: object = {}): Promise<SendAnswer> =>
    (
      await post(posthouse, '/requestemail', {
        ...client,
        To: 'ada@example.org',
        Subject: subject,
        Body: 'x',
        ...more,
      })
    ).body;
  const untilStatus = (id: string, status: string) =>
    until(async () => {
      const message = await find(id);
      return message?.status === status && message;
    });

  test('describes messages of every kind', async () => {
    const sent = await mail('Listed');
    const [note, form] = await Promise.all([
      post(posthouse, '/requesttelegram', { ...client, Recipients: '78', Message: 'A note' }),
      post(posthouse, '/sendcontactusform', {
        ...client,
        Email: 'v@example.org',
        Message: 'x',
        Subject: 'A question',
      }),
    ]);
    const chat = await sendChat(posthouse, { ...channel.target, title: 'A title', message: 'x' });
    expect(await untilStatus(sent.Id, 'sent')).toMatchObject({
      kind: 'email',
      title: 'Listed',
      to: ['ada@example.org'],
      clientId: client.ClientId,
    });
    expect(await untilStatus(note.body.Id, 'sent')).toMatchObject({
      kind: 'telegram',
      title: 'A note',
      to: ['78'],
    });
    expect(await untilStatus(form.body.Id, 'sent')).toMatchObject({
      kind: 'email',
      title: expect.stringContaining('A question'),
    });
    expect(await untilStatus(chat.id, 'sent')).toMatchObject({
      kind: 'chat',
      title: 'A title',
      to: [channel.id],
    });
    expect((await list('?kind=chat')).map(({ id }) => id)).toEqual([chat.id]);
    expect((await list('?search=listed')).map(({ id }) => id)).toEqual([sent.Id]);
    expect((await list('?sandbox=true')).length).toBe(0);
    const [newest, ...others] = await list();
    expect((await list(`?before=${newest?.id}`)).map(({ id }) => id)).toEqual(others.map(({ id }) => id));
    const { body } = await get<{ parts: { status: string; result: unknown }[] }>(`/${chat.id}`);
    expect(body.parts).toEqual([
      expect.objectContaining({ status: 'sent', result: expect.objectContaining({ url: chat.url }) }),
    ]);
    const statistics = await get<{ hours: { kind: string }[]; waiting: unknown[] }>('/statistics');
    expect(new Set(statistics.body.hours.map(({ kind }) => kind))).toEqual(
      new Set(['email', 'telegram', 'chat']),
    );
  });

  test.each([
    '?limit=0',
    '?limit=201',
    '?limit=x',
    '?kind=letter',
    '?status=lost',
    '?before=x',
    '?sandbox=perhaps',
    `?search=${'x'.repeat(201)}`,
  ])('refuses the query %s and names the parameter', async (query) => {
    const { status, body } = await get<{ code: string; errors: { path: string }[] }>(query);
    expect([status, body.code, body.errors[0]?.path]).toEqual([
      400,
      'invalid_request',
      query.slice(1, query.indexOf('=')),
    ]);
  });

  test('resends failed messages only, one or many', async () => {
    smtp.refuse('nobody@example.org', { code: 550, text: '5.1.1 no such user' });
    for (const subject of ['refused 1', 'refused 2']) {
      const { status } = await post(posthouse, '/requestemail', {
        ...client,
        To: 'nobody@example.org',
        Subject: subject,
        Body: 'x',
      });
      expect(status).toBe(502);
    }
    const failed = await list('?status=failed&kind=email');
    expect(failed.map(({ title, errorCode }) => [title, errorCode])).toEqual([
      ['refused 2', 'smtp_refused'],
      ['refused 1', 'smtp_refused'],
    ]);
    const waiting = await mail('waits', { SendAt: new Date(Date.now() + 3_600_000).toISOString() });
    expect(await resend(waiting.Id, NOWHERE)).toEqual([]);
    smtp.refuse('nobody@example.org', null);
    const ids = failed.map(({ id }) => id);
    expect(await resend(...ids, NOWHERE)).toEqual(ids);
    for (const id of ids) await untilStatus(id, 'sent');
    expect(smtp.mails.filter(({ parsed }) => parsed.subject?.startsWith('refused'))).toHaveLength(2);
  });

  test('keeps a message of unknown delivery until it is resent', async () => {
    telegram.trouble({ kind: 'drop' });
    const { body } = await post(posthouse, '/requesttelegram', {
      ...client,
      Recipients: '77',
      Message: 'lost?',
    });
    expect(await untilStatus(body.Id, 'unknown')).toMatchObject({ errorCode: 'no_answer' });
    expect(await resend(body.Id)).toEqual([body.Id]);
    await untilStatus(body.Id, 'sent');
    expect(telegram.messages.filter(({ text }) => text === 'lost?')).toHaveLength(1);
  });

  test('refuses to resend a message with an erased secret', async () => {
    const own = await startSmtpStandIn({ user: { name: 'u', password: 'p' } });
    const SmtpConfiguration = {
      Host: own.host,
      Port: own.port,
      Security: 'None',
      Username: 'u',
      Password: 'p',
    };
    const { Id } = await mail('over my own', { SmtpConfiguration, From: 'me@own.example' });
    const { body } = await post(posthouse, '/requesttelegram', {
      ...client,
      Recipients: '78',
      Message: 'by my own',
      BotToken: TOKEN,
    });
    for (const id of [Id, body.Id]) await untilStatus(id, 'sent');
    expect(await resend(Id, body.Id)).toEqual([Id, body.Id]);
    expect(await untilStatus(Id, 'failed')).toMatchObject({ errorCode: 'password_erased' });
    expect(await untilStatus(body.Id, 'failed')).toMatchObject({ errorCode: 'token_erased' });
    expect(own.mails).toHaveLength(1);
    expect(telegram.messages.filter(({ text }) => text === 'by my own')).toHaveLength(1);
    await own.stop();
  });

  test('resends a sent message', async () => {
    const { Id } = await mail('twice');
    expect(await resend(Id)).toEqual([Id]);
    await untilStatus(Id, 'sent');
    await smtp.arrived(
      ({ parsed }) =>
        parsed.subject === 'twice' &&
        smtp.mails.filter((each) => each.parsed.subject === 'twice').length === 2,
    );
    const chat = await sendChat(posthouse, { ...channel.target, message: 'once more' });
    expect(await resend(chat.id)).toEqual([chat.id]);
    await until(
      () =>
        discord.world
          .messagesIn(channel.channel.id)
          .filter(({ body }) => JSON.stringify(body).includes('once more')).length === 2,
    );
  });

  test('cancels queued messages, but not finished ones', async () => {
    const { Id } = await mail('cancelled', { SendAt: new Date(Date.now() + 3_600_000).toISOString() });
    expect((await cancel(Id)).status).toBe(204);
    expect(await untilStatus(Id, 'cancelled')).toMatchObject({ kind: 'email' });
    expect(await refusal(cancel(Id))).toEqual([409, 'not_cancellable']);
    for (const id of [NOWHERE, 'nonsense']) expect((await cancel(id)).status).toBe(404);
    expect((await get<{ code: string }>(`/${NOWHERE}`)).status).toBe(404);
  });

  test.each([{}, { ids: [] }, { ids: ['x'] }, { ids: 'x' }, { ids: Array(501).fill(NOWHERE) }])(
    'refuses an invalid list',
    async (body) => {
      const answer = await postJson(posthouse, '/api/admin/messages/resend', body, admin);
      expect(await refusal(answer)).toEqual([400, 'invalid_request']);
    },
  );
});
