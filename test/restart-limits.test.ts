import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { addChatRig, type ChatChannel, sendChat } from './harness/chat.ts';
import { jsonOf } from './harness/json.ts';
import { addMailClient, type MailClient, post } from './harness/mail.ts';
import { type Posthouse, signInAdmin, startPosthouse, startProcess } from './harness/posthouse.ts';
import { until } from './harness/until.ts';
import { type DiscordStandIn, startDiscord } from './stand-ins/discord.ts';
import { type SmtpStandIn, startSmtpStandIn } from './stand-ins/smtp.ts';
import { startTelegramStandIn, type TelegramStandIn } from './stand-ins/telegram.ts';

const CHATS = { user: '77', limited: '78', group: '-100500' };
const RETRY_AFTER = 5;

/**
 * The number of messages sent just before a kill is unknown, so the next server assumes that all limits were used up.
 * The times are lower bounds: a slow machine only makes them longer.
 */
describe.each(BACKENDS)('limits after a restart on %s', (backend) => {
  let smtp: SmtpStandIn;
  let telegram: TelegramStandIn;
  let discord: DiscordStandIn;
  let posthouse: Posthouse;
  let client: MailClient;
  let free: MailClient;
  let channel: ChatChannel;
  let other: ChatChannel;
  let limitedAt: number;
  let restartedAt: number;
  /** Time between the restart and each arrival. */
  let arrived: { mail: number; user: number; group: number; chat: number };

  const telegramTo = (Recipients: string) =>
    post(posthouse, '/requesttelegram', { ...free, Recipients, Message: 'x' });
  const mail = (Subject: string) =>
    post(posthouse, '/requestemail', { ...client, To: 'ada@example.org', Subject, Body: 'x' });
  const chat = (message: string, { target } = channel, headers: Record<string, string> = {}) =>
    sendChat(posthouse, { ...target, message }, headers);
  /** Returns the time between `since` and the first message in the chat. */
  const telegramAfter = async (since: number, chatId: string) => {
    await telegram.arrived(({ chat_id }) => chat_id === chatId);
    return Date.now() - since;
  };

  beforeAll(async () => {
    smtp = await startSmtpStandIn();
    telegram = await startTelegramStandIn({ tokens: ['1000001:token'], chats: Object.values(CHATS) });
    discord = await startDiscord({ limits: { messages: { requests: 3, windowMs: 4_000 } } });
    const settings = {
      ...(await freshSettings(backend)),
      POSTHOUSE_SMTP_URL: `smtp://${smtp.host}:${smtp.port}?tls=none`,
      POSTHOUSE_MAIL_FROM: 'post@example.org',
      POSTHOUSE_TELEGRAM_TOKEN: '1000001:token',
      POSTHOUSE_TELEGRAM_API_URL: telegram.url,
      POSTHOUSE_DISCORD_API_URL: discord.url,
    };
    const first = await startProcess(settings);
    posthouse = first;
    const rig = await addChatRig(settings, discord);
    [channel, other] = [await rig.addChannel(), await rig.addChannel()];
    free = await addMailClient(settings, 'free', '--services', 'email,telegram');
    const call = jsonOf(posthouse, await signInAdmin(posthouse));
    const limited = { name: 'limited', services: ['email'], limits: { second: 1, hour: null, day: null } };
    const made = await call<{ clientId: string; clientSecret: string }>(
      'POST',
      '/api/admin/mail/clients',
      limited,
    );
    client = { ClientId: made.body.clientId, ClientSecret: made.body.clientSecret };

    expect((await mail('before')).status).toBe(200);
    telegram.trouble({
      kind: 'status',
      status: 429,
      body: {
        ok: false,
        error_code: 429,
        description: 'Too Many Requests',
        parameters: { retry_after: RETRY_AFTER },
      },
    });
    limitedAt = Date.now();
    expect((await telegramTo(CHATS.limited)).status).toBe(202);
    for (const text of ['a', 'b', 'c']) expect((await chat(text)).http).toBe(200);
    expect((await chat('d', channel, { Prefer: 'respond-async' })).http).toBe(202);
    // Blocked by the empty bucket, so that no lease of the dead process delays it.
    await until(async () =>
      /posthouse_outbox_attempts_total\{kind="chat",outcome="held"\} [1-9]/.test(
        await (await posthouse.fetch('/metrics')).text(),
      ),
    );
    await first.kill();
    restartedAt = Date.now();
    posthouse = await startPosthouse(settings);
    const [byMail, byChat, user, group] = await Promise.all([
      mail('after').then(({ status }) => ({ status, at: Date.now() })),
      chat('e', other).then(({ http }) => ({ status: http, at: Date.now() })),
      telegramTo(CHATS.user).then(() => telegramAfter(restartedAt, CHATS.user)),
      telegramTo(CHATS.group).then(() => telegramAfter(restartedAt, CHATS.group)),
    ]);
    expect([byMail.status, byChat.status]).toEqual([200, 200]);
    arrived = { mail: byMail.at - restartedAt, chat: byChat.at - restartedAt, user, group };
  });
  afterAll(async () => {
    await posthouse.stop();
    await Promise.all([smtp.stop(), telegram.stop(), discord.stop()]);
  });

  test('messages per second of an application are limited', () => {
    expect(arrived.mail).toBeGreaterThanOrEqual(1_000);
    expect(smtp.mails.map(({ parsed }) => parsed.subject)).toEqual(['before', 'after']);
  });

  test('Telegram’s limits of a chat and of a group, and its retry_after, still apply', async () => {
    expect(arrived.user).toBeGreaterThanOrEqual(1_000);
    expect(arrived.group).toBeGreaterThanOrEqual(4_000);
    expect(await telegramAfter(limitedAt, CHATS.limited)).toBeGreaterThanOrEqual(RETRY_AFTER * 1_000);
  });

  test('Discord’s limits of a bot and of a channel with an empty bucket still apply', async () => {
    expect(arrived.chat).toBeGreaterThanOrEqual(1_000);
    await until(() => discord.world.messagesIn(channel.channel.id).length === 4);
    const posts = discord.arrived.filter(({ method }) => method === 'POST');
    expect(posts.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(discord.invalidRequests()).toBe(0);
  });
});
