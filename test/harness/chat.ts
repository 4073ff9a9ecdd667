import { afterAll } from 'bun:test';
import { createDirectory, type Directory } from '../../src/chat/directory.ts';
import { shapeConfig } from '../../src/config/config.ts';
import { readSettings } from '../../src/config/env.ts';
import { type Foundation, openFoundation } from '../../src/foundation.ts';
import type { Transaction } from '../../src/kernel/database/database.ts';
import type { DiscordStandIn } from '../stand-ins/discord.ts';
import type { BotUser, Channel, Guild } from '../stand-ins/discord-world.ts';
import { signIn } from './browser.ts';
import { type Posthouse, runJson } from './posthouse.ts';

/** A client of the relay with a guild, as the command line makes it, and their counterparts at the platform. */
export interface ChatRig {
  discord: DiscordStandIn;
  bot: BotUser;
  guild: Guild;
  client: { id: string; name: string };
  /** Our GUID of the guild. */
  guildId: string;
  /** A channel at the platform, known to the relay. */
  addChannel(more?: Partial<Channel>): Promise<ChatChannel>;
}

export interface ChatChannel {
  /** At the platform. */
  channel: Channel;
  /** Our GUID. */
  id: string;
  /** What a caller names. */
  target: { clientId: string; guildId: string; channelId: string };
}

let count = 0;

/** Makes a client with a bot's token and a guild that the bot is in. */
export async function addChatRig(settings: Record<string, string>, discord: DiscordStandIn): Promise<ChatRig> {
  const bot = discord.world.addBot();
  const guild = discord.world.addGuild([bot]);
  const name = `relay ${++count}`;
  const records = await openRecords(settings);
  const client = await records.addClient(name, bot.token);
  const guildId = await records.addGuild(client.id, guild.id);
  return {
    discord,
    bot,
    guild,
    client,
    guildId,
    async addChannel(more) {
      const channel = discord.world.addChannel(guild, more);
      const id = await records.addChannel(guildId, channel.id);
      return { channel, id, target: { clientId: name, guildId: guild.id, channelId: channel.id } };
    },
  };
}

/** A client without a token, whose messages go to the sandbox, with one channel. */
export async function addSandboxTarget(settings: Record<string, string>, name: string): Promise<ChatChannel['target']> {
  const records = await openRecords(settings);
  const client = await records.addClient(name, null);
  await records.addChannel(await records.addGuild(client.id, '100000000000000001'), '200000000000000001');
  return { clientId: name, guildId: '100000000000000001', channelId: '200000000000000001' };
}

/** Makes records as the commands do, without a process for each; `test/chat-commands.test.ts` runs the commands themselves. */
async function openRecords(settings: Record<string, string>) {
  const { database, directory } = await foundationOf(settings);
  const place = (platformId: string) => ({ platformId, name: platformId });
  const write = <Result>(work: (trx: Transaction) => Promise<Result>) => database.transaction(work);
  return {
    addClient: (name: string, token: string | null) =>
      write(async (trx) => (await directory.addClient(trx, { name, platform: 'discord', token, relayKey: false })).client),
    addGuild: (clientId: string, platformId: string) =>
      write(async (trx) => (await directory.addGuild(trx, clientId, place(platformId))).id),
    addChannel: (guildId: string, platformId: string) =>
      write(async (trx) => (await directory.addChannel(trx, guildId, place(platformId))).id),
  };
}

const open = new Map<Record<string, string>, Promise<Foundation & { directory: Directory }>>();
afterAll(async () => {
  for (const opened of open.values()) await (await opened).close();
  open.clear();
});

function foundationOf(settings: Record<string, string>) {
  const known = open.get(settings);
  if (known) return known;
  const { config, secrets } = shapeConfig(readSettings({}, settings));
  const opening = openFoundation({ ...config, logLevel: 'silent' }, secrets).then((foundation) => ({
    ...foundation,
    directory: createDirectory(foundation),
  }));
  open.set(settings, opening);
  return opening;
}

export interface Sent {
  id: string;
  status: string;
  platformMessageId?: string | null;
  url?: string | null;
  folded?: number;
  sandbox?: boolean;
  code?: string;
  detail?: string;
  errors?: { path: string; message: string }[];
}

/** POST of JSON. */
export function postJson(posthouse: Posthouse, path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return posthouse.fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** Sends a message; gives the status and the body of the answer. */
export async function sendChat(
  posthouse: Posthouse,
  body: unknown,
  headers?: Record<string, string>,
): Promise<Sent & { http: number; headers: Headers }> {
  const answer = await postJson(posthouse, '/api/chatbot/sendmessage', body, headers);
  return { http: answer.status, headers: answer.headers, ...((await answer.json()) as Sent) };
}

/** An administrator's session. */
export async function signInAdmin(posthouse: Posthouse): Promise<{ headers: Record<string, string> }> {
  const [email, password] = ['admin@example.org', 'correct horse battery'];
  await runJson(posthouse.settings, 'user', 'add', '--email', email, '--password', password, '--admin');
  return await signIn(posthouse, email, password);
}

/** Waits until the message has a status; asks again as often as the server answers. */
export async function untilStatus(posthouse: Posthouse, id: string, ...statuses: string[]): Promise<{ status: string; attempts: number }> {
  for (;;) {
    const answer = await posthouse.fetch(`/api/chatbot/messages/${id}`);
    const message = (await answer.json()) as { status: string; attempts: number };
    if (statuses.includes(message.status)) return message;
    await Bun.sleep(20);
  }
}
