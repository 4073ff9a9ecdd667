import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { addChatRig, type ChatChannel, sendChat, signInAdmin } from './harness/chat.ts';
import { addMailClient, type MailClient, post } from './harness/mail.ts';
import { type Posthouse, startPosthouse } from './harness/posthouse.ts';
import { type DiscordStandIn, startDiscord } from './stand-ins/discord.ts';
import { type SmtpStandIn, startSmtpStandIn } from './stand-ins/smtp.ts';
import { startTelegramStandIn, type TelegramStandIn } from './stand-ins/telegram.ts';

const CHATS = { user: '77', limited: '78', group: '-100500' };
const RETRY_AFTER = 5;

/**
 * What a killed server sent just before is known to no one, so its successor behaves as if that had been all that it might.
 * The times are lower bounds alone: a slow machine only makes them longer.
 */
describe.each(BACKENDS)('limits over a restart on %s', (backend) => {
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
  /** How long after the restart each had arrived. */
  let arrived: { mail: number; user: number; group: number; chat: number };

  const telegramTo = (Recipients: string) => post(posthouse, '/requesttelegram', { ...free, Recipients, Message: 'x' });
  const mail = (Subject: string) => post(posthouse, '/requestemail', { ...client, To: 'ada@example.org', Subject, Body: 'x' });
  const chat = (message: string, { target } = channel, headers: Record<string, string> = {}) =>
    sendChat(posthouse, { ...target, message }, headers);
  /** How long after `since` the first message has come into the chat. */
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
    posthouse = await startPosthouse(settings);
    const rig = await addChatRig(settings, discord);
    [channel, other] = [await rig.addChannel(), await rig.addChannel()];
    free = await addMailClient(settings, 'free');
    const { headers } = await signInAdmin(posthouse);
    const made = await posthouse.fetch('/api/admin/mail/clients', {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'limited', services: ['email'], limits: { second: 1, hour: null, day: null } }),
    });
    const { clientId, clientSecret } = (await made.json()) as { clientId: string; clientSecret: string };
    client = { ClientId: clientId, ClientSecret: clientSecret };

    expect((await mail('before')).status).toBe(200);
    telegram.trouble({
      kind: 'status',
      status: 429,
      body: { ok: false, error_code: 429, description: 'Too Many Requests', parameters: { retry_after: RETRY_AFTER } },
    });
    limitedAt = Date.now();
    expect((await telegramTo(CHATS.limited)).status).toBe(202);
    for (const text of ['a', 'b', 'c']) expect((await chat(text)).http).toBe(200);
    expect((await chat('d', channel, { Prefer: 'respond-async' })).http).toBe(202);
    // Held by the empty bucket, so that no lease of the dead process has to run out first.
    for (let tries = 0; tries < 600; tries++) {
      const metrics = await (await posthouse.fetch('/metrics')).text();
      if (/posthouse_outbox_attempts_total\{kind="chat",outcome="held"\} [1-9]/.test(metrics)) break;
      await Bun.sleep(20);
    }
    await posthouse.kill();
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

  test('an application’s messages of a second', () => {
    expect(arrived.mail).toBeGreaterThanOrEqual(1_000);
    expect(smtp.mails.map(({ parsed }) => parsed.subject)).toEqual(['before', 'after']);
  });

  test('Telegram’s of a chat and of a group, and how long it wanted to be left alone', async () => {
    expect(arrived.user).toBeGreaterThanOrEqual(1_000);
    expect(arrived.group).toBeGreaterThanOrEqual(4_000);
    expect(await telegramAfter(limitedAt, CHATS.limited)).toBeGreaterThanOrEqual(RETRY_AFTER * 1_000);
  });

  test('Discord’s of a bot, and of a channel whose bucket was empty', async () => {
    expect(arrived.chat).toBeGreaterThanOrEqual(1_000);
    await discord.until(() => discord.world.messagesIn(channel.channel.id).length === 4);
    const posts = discord.arrived.filter(({ method }) => method === 'POST');
    expect(posts.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(discord.invalidRequests()).toBe(0);
  });
});
