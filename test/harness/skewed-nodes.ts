import { join } from 'node:path';
import { type DiscordStandIn, startDiscord } from '../stand-ins/discord.ts';
import { type SmtpStandIn, startSmtpStandIn } from '../stand-ins/smtp.ts';
import { runJson } from './command.ts';
import { addMailClient, post } from './mail.ts';
import { MAIN, type Posthouse, startProgram } from './process.ts';
import { until } from './until.ts';

const SKEW_MS = 120_000;
const NO_LIMIT = { requests: 1_000_000, windowMs: 1_000 };
const MAILS_AT_ONCE = 10;
const CHANNELS = 3;
const ASYNC = { Prefer: 'respond-async' };

interface Work {
  mails: number;
  /** Number of messages in each channel. */
  chats: number;
  /** Starts the nodes whose clocks are right. */
  start(settings: Record<string, string>): Promise<Posthouse>;
}

interface Results {
  /** Subjects of the e-mails that arrived, in no order. */
  mails: string[];
  /** Texts that arrived in each channel, in order. */
  channels: string[][];
  /** Ids of the messages to each channel, in the order of their acceptance. */
  ids: string[][];
  /** The metric of the node whose clock is ahead. */
  skewSeconds: number;
}

/**
 * Sends e-mails, and chat messages in three channels, by three nodes, one of which has a clock two minutes ahead; each
 * chat message is sent after the response to the one before, by another node.
 */
export async function sendBySkewedNodes(
  settings: Record<string, string>,
  { mails, chats, start }: Work,
): Promise<Results> {
  const [smtp, discord] = await Promise.all([
    startSmtpStandIn(),
    startDiscord({ limits: { messages: NO_LIMIT, global: NO_LIMIT } }),
  ]);
  const dataDir = settings.POSTHOUSE_DATA_DIR ?? '';
  const all = {
    ...settings,
    POSTHOUSE_SMTP_URL: `smtp://${smtp.host}:${smtp.port}?tls=none`,
    POSTHOUSE_MAIL_FROM: 'post@example.org',
    POSTHOUSE_DISCORD_API_URL: discord.url,
    POSTHOUSE_CHAT_BURST: '100000',
  };
  const nodes = await Promise.all([
    start(all),
    start({ ...all, POSTHOUSE_DATA_DIR: join(dataDir, 'node-2') }),
    startAhead({ ...all, POSTHOUSE_DATA_DIR: join(dataDir, 'node-3') }),
  ]);
  let next = 0;
  const node = () => nodes[next++ % nodes.length] as Posthouse;
  try {
    const client = await addMailClient(all, 'app', '--services', 'email');
    const { target, channels } = await addChannels(all, discord);
    const sendMails = async (from: number) => {
      for (let index = from; index < mails; index += MAILS_AT_ONCE) {
        const mail = { ...client, To: 'ada@example.org', Subject: `mail ${index}`, Body: 'x' };
        const { status } = await post(node(), '/requestemail', mail, ASYNC);
        if (status !== 202) throw new Error(`mail: ${status}`);
      }
    };
    const sendChats = async (channelId: string) => {
      const ids: string[] = [];
      for (let index = 0; index < chats; index++) {
        const chat = { ...target, channelId, message: `chat ${index}` };
        const { status, body } = await post(node(), '/api/chatbot/sendmessage', chat, ASYNC);
        if (status !== 202) throw new Error(`chat: ${status}`);
        ids.push((body as unknown as { id: string }).id);
      }
      return ids;
    };
    const [ids] = await Promise.all([
      Promise.all(channels.map(sendChats)),
      ...Array.from({ length: MAILS_AT_ONCE }, (_, from) => sendMails(from)),
    ]);
    return { ids, ...(await results({ nodes, smtp, discord, channels, mails, chats })) };
  } finally {
    await Promise.all(nodes.map((each) => each.stop()));
    await Promise.all([smtp.stop(), discord.stop()]);
  }
}

/** Creates a client with a guild and channels, by commands: this runs outside `bun test` too. */
async function addChannels(settings: Record<string, string>, { world }: DiscordStandIn) {
  const add = (...words: string[]) => runJson(settings, ...words);
  const bot = world.addBot();
  const guild = world.addGuild([bot]);
  await add('chat-client', 'add', '--name', 'relay', '--token', bot.token);
  await add('chat-guild', 'add', '--client', 'relay', '--platform-id', guild.id, '--name', 'guild');
  const channels: string[] = [];
  for (let index = 0; index < CHANNELS; index++) {
    const { id } = world.addChannel(guild);
    await add('chat-channel', 'add', '--guild', guild.id, '--platform-id', id, '--name', `channel ${index}`);
    channels.push(id);
  }
  return { target: { clientId: 'relay', guildId: guild.id }, channels };
}

/** Starts a node whose clock is two minutes ahead. */
export async function startAhead(settings: Record<string, string>): Promise<Posthouse> {
  const words = ['--preload', join(import.meta.dir, 'skewed-clock.ts'), MAIN, 'serve'];
  return await startProgram(words, { ...settings, TEST_CLOCK_OFFSET_MS: String(SKEW_MS) });
}

interface Run {
  nodes: readonly Posthouse[];
  smtp: SmtpStandIn;
  discord: DiscordStandIn;
  channels: readonly string[];
  mails: number;
  chats: number;
}

async function results({ nodes, smtp, discord, channels, mails, chats }: Run): Promise<Omit<Results, 'ids'>> {
  const textsIn = (channel: string) =>
    discord.world
      .messagesIn(channel)
      .map(({ body }) => (body.embeds as { description: string }[])[0]?.description ?? '');
  await until(
    () => smtp.mails.length >= mails && channels.every((channel) => textsIn(channel).length >= chats),
  );
  // A message sent twice is still under way when the last one arrives.
  await until(async () => (await waiting(nodes)) === 0);
  const ahead = await metricsOf(nodes[2]);
  return {
    mails: smtp.mails.map(({ parsed }) => parsed.subject ?? ''),
    channels: channels.map(textsIn),
    skewSeconds: Number(/^posthouse_clock_skew_seconds (.*)$/m.exec(ahead)?.[1]),
  };
}

async function metricsOf(node: Posthouse | undefined): Promise<string> {
  return (await (await node?.fetch('/metrics'))?.text()) ?? '';
}

async function waiting([node]: readonly Posthouse[]): Promise<number> {
  const counts = (await metricsOf(node)).matchAll(/^posthouse_outbox_waiting\{.*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}
