import { createDirectory } from '../../src/chat/directory/directory.ts';
import { shapeConfig } from '../../src/config/config.ts';
import { readSettings } from '../../src/config/env.ts';
import { openFoundation } from '../../src/foundation/foundation.ts';
import { addFullMailClient } from '../harness/mail.ts';
import { startDiscord, UNLIMITED } from '../stand-ins/discord.ts';
import { startSmtpStandIn } from '../stand-ins/smtp.ts';
import { startTelegramStandIn } from '../stand-ins/telegram.ts';
import { type Answer, jsonOf } from './killed-server.ts';

/** A kind of message, with its sender and receiver. */
export interface Kind {
  name: string;
  /** Number of concurrent senders; each sends one message at a time. */
  senders: number;
  /** Whether the peer recognizes a repeated message. */
  deduplicates: boolean;
  /** Whether a message that was sent without a response is not repeated, and ends as unknown. */
  mayBeUnknown: boolean;
  /** Whether messages of one sender arrive in the order of acknowledgement. */
  keepsOrder: boolean;
  request(sender: number, text: string): { path: string; headers: Record<string, string>; body: unknown };
  /** Returns the received messages, in order, with repetitions. */
  arrived(): string[];
  /** Request for the status of a message. */
  state(id: string): { path: string; headers: Record<string, string> };
}

/** All kinds of messages and their peers. */
export interface World {
  settings: Record<string, string>;
  /** Creates the records; a server may be running. */
  kinds(settings: Record<string, string>): Promise<Kind[]>;
  stop(): Promise<void>;
}

const SENDERS = 10;
/** Senders, each with its own channel. Several, since a channel waits for the end of a lease when its server dies. */
const CHAT_SENDERS = 40;
const TELEGRAM_CHATS = 200;
const TELEGRAM_TOKEN = '1234567:a-token-that-only-the-fault-tests-know';
/** The text that identifies a message, which the outbox has in its payload. */
export const TEXT = /\b(?:chat|email|telegram|contact)-\d+-\d+\b/;

export function textOf(kind: string, sender: number, number: number): string {
  return `${kind}-${sender}-${number}`;
}

/** Returns the id of an acknowledged message. @throws Error when it was not acknowledged */
export function acknowledgedId(answer: Answer): string {
  const body =
    answer.status === 200 || answer.status === 202 ? jsonOf<{ id?: string; Id?: string }>(answer) : {};
  const id = body.id ?? body.Id;
  if (id === undefined)
    throw new Error(
      `a message was answered with ${answer.status}: ${new TextDecoder().decode(answer.bytes)}`,
    );
  return id;
}

export async function startWorld(): Promise<World> {
  const [discord, smtp, telegram] = await Promise.all([
    startDiscord({ limits: UNLIMITED }),
    startSmtpStandIn(),
    startTelegramStandIn({
      tokens: [TELEGRAM_TOKEN],
      chats: Array.from({ length: TELEGRAM_CHATS }, (_, index) => String(1_000 + index)),
    }),
  ]);
  const bot = discord.world.addBot();
  const guild = discord.world.addGuild([bot]);
  const channels = Array.from({ length: CHAT_SENDERS }, () => discord.world.addChannel(guild));

  const settings = {
    POSTHOUSE_LOG_LEVEL: 'warn',
    POSTHOUSE_DISCORD_API_URL: discord.url,
    POSTHOUSE_SMTP_URL: `smtp://${smtp.host}:${smtp.port}?tls=none`,
    POSTHOUSE_MAIL_FROM: 'post@example.org',
    POSTHOUSE_TELEGRAM_API_URL: telegram.url,
    POSTHOUSE_TELEGRAM_TOKEN: TELEGRAM_TOKEN,
    POSTHOUSE_CHAT_BURST: '1000000',
    POSTHOUSE_CHAT_PER_MINUTE: '1000000',
    // Every contact form comes from another visitor.
    POSTHOUSE_TRUSTED_PROXIES: '127.0.0.1',
  };

  return {
    settings,
    async kinds(all) {
      await addRelay(
        all,
        bot.token,
        guild.id,
        channels.map(({ id }) => id),
      );
      const client = await addFullMailClient(all, 'owner@example.org');
      const basic = { Authorization: `Basic ${btoa(`${client.ClientId}:${client.ClientSecret}`)}` };
      const mailState = (id: string) => ({ path: `/messages/${id}`, headers: basic });
      const mails = (kind: string) =>
        smtp.mails
          .flatMap(({ parsed }) => TEXT.exec(parsed.text ?? '')?.[0] ?? [])
          .filter((text) => text.startsWith(kind));
      let posted = 0;

      return [
        {
          name: 'chat',
          mayBeUnknown: false,
          senders: CHAT_SENDERS,
          deduplicates: true,
          keepsOrder: true,
          request: (sender, text) => ({
            path: '/api/chatbot/sendmessage',
            headers: {},
            body: { clientId: 'relay', guildId: guild.id, channelId: channels[sender]?.id, message: text },
          }),
          arrived: () =>
            discord.world.messages.flatMap(({ body }) =>
              (body.embeds as { description: string }[]).map(({ description }) => description),
            ),
          state: (id) => ({ path: `/api/chatbot/messages/${id}`, headers: {} }),
        },
        {
          name: 'email',
          mayBeUnknown: false,
          senders: SENDERS,
          deduplicates: false,
          keepsOrder: false,
          request: (_, text) => ({
            path: '/requestemail',
            headers: {},
            body: { ...client, To: 'ada@example.org', Subject: text, Body: text },
          }),
          arrived: () => mails('email'),
          state: mailState,
        },
        {
          name: 'telegram',
          mayBeUnknown: true,
          senders: SENDERS,
          deduplicates: false,
          keepsOrder: false,
          request: (_, text) => ({
            path: '/requesttelegram',
            headers: {},
            body: { ...client, Recipients: String(1_000 + (posted++ % TELEGRAM_CHATS)), Message: text },
          }),
          arrived: () => telegram.messages.map(({ text }) => text),
          state: mailState,
        },
        {
          name: 'contact',
          mayBeUnknown: false,
          senders: SENDERS,
          deduplicates: false,
          keepsOrder: false,
          request: (_, text) => ({
            path: '/sendcontactusform',
            headers: { 'X-Forwarded-For': `198.18.${(++posted >> 8) & 255}.${posted & 255}` },
            body: { ...client, Email: 'visitor@example.org', Subject: text, Message: text },
          }),
          arrived: () => mails('contact'),
          state: mailState,
        },
      ];
    },
    async stop() {
      await Promise.all([discord.stop(), smtp.stop(), telegram.stop()]);
    },
  };
}

/** Creates a client of the relay with its channels as the commands do, but without a process for each. */
async function addRelay(
  settings: Record<string, string>,
  token: string,
  guildId: string,
  channelIds: readonly string[],
): Promise<void> {
  const { config, secrets } = shapeConfig(readSettings({}, settings));
  const foundation = await openFoundation(config, secrets);
  const directory = createDirectory(foundation);
  await foundation.database.transaction(async (trx) => {
    const { client } = await directory.addClient(trx, {
      name: 'relay',
      platform: 'discord',
      token,
      relayKey: false,
    });
    const guild = await directory.addGuild(trx, client.id, { platformId: guildId, name: 'guild' });
    for (const id of channelIds) await directory.addChannel(trx, guild.id, { platformId: id, name: id });
  });
  await foundation.close();
}
