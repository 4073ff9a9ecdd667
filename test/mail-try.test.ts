import { beforeAll, describe, expect, test } from 'bun:test';
import { freshSettings } from './harness/backends.ts';
import { postJson } from './harness/json.ts';
import { addMailClient } from './harness/mail.ts';
import { addAdmin, addPerson, openSession, type Posthouse, startPosthouse } from './harness/posthouse.ts';
import { startTelegramStandIn } from './stand-ins/telegram.ts';

describe('test messages of the Telegram bot from the admin pages', () => {
  let posthouse: Posthouse;
  let admin: Record<string, string>;
  let user: Record<string, string>;
  beforeAll(async () => {
    posthouse = await startPosthouse(await freshSettings());
    await addAdmin(posthouse.settings);
    await addPerson(posthouse.settings, 'bob@example.org');
    admin = (await openSession(posthouse, 'ada@example.org')).headers;
    user = (await openSession(posthouse, 'bob@example.org')).headers;
  });

  const attempt = (body: unknown, headers: Record<string, string>) =>
    postJson(posthouse, '/api/admin/mail/test-telegram', body, headers);
  const good = { to: '@my_channel', message: 'Hello <b>' };

  test('are stored with the given text when there is no bot', async () => {
    const answer = await attempt(good, admin);
    expect(answer.status).toBe(200);
    const { Id, sandbox } = (await answer.json()) as { Id: string; sandbox: boolean };
    expect(sandbox).toBe(true);
    const message = (await (
      await posthouse.fetch(`/api/admin/messages/${Id}`, { headers: admin })
    ).json()) as Record<string, unknown>;
    expect(message).toMatchObject({
      kind: 'telegram',
      title: 'Hello <b>',
      to: ['@my_channel'],
      status: 'sent',
      sandbox: true,
      clientId: null,
    });
  });

  test.each([
    [{ to: '@my_channel' }, 'message'],
    [{ message: 'x' }, 'to'],
    [{ to: true, message: 'x' }, 'to'],
    [{ to: 'not a chat', message: 'x' }, 'to'],
    [{ to: '@my_channel', message: '' }, 'message'],
  ])('reject %j and name the field', async (body, path) => {
    const answer = await attempt(body, admin);
    expect(answer.status).toBe(400);
    expect(((await answer.json()) as { errors: { path: string }[] }).errors[0]?.path).toBe(path);
  });

  test('use a client’s own bot, and reject a missing client', async () => {
    const token = '77:token-of-the-client';
    const telegram = await startTelegramStandIn({ tokens: [token], chats: ['@my_channel'] });
    const other = await startPosthouse({
      ...(await freshSettings()),
      POSTHOUSE_TELEGRAM_API_URL: telegram.url,
    });
    await addAdmin(other.settings, 'eve@example.org');
    const { headers } = await openSession(other, 'eve@example.org');
    const { ClientId } = await addMailClient(
      other.settings,
      'shop',
      '--services',
      'telegram',
      '--telegram-token',
      token,
    );
    const send = (clientId: string) =>
      postJson(other, '/api/admin/mail/test-telegram', { ...good, clientId }, headers);
    expect((await send(ClientId)).status).toBe(200);
    expect(telegram.messages.map((posted) => [posted.token, posted.text])).toEqual([[token, good.message]]);
    const refused = await send(crypto.randomUUID());
    expect(refused.status).toBe(400);
    expect(((await refused.json()) as { errors: { path: string }[] }).errors[0]?.path).toBe('clientId');
    await other.stop();
    await telegram.stop();
  });

  test('require an administrator', async () => {
    expect((await attempt(good, {})).status).toBe(401);
    expect((await attempt(good, user)).status).toBe(403);
  });
});
