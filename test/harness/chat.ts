import { createDirectory } from '../../src/chat/directory/directory.ts';
import type { Transaction } from '../../src/kernel/database/database.ts';
import type { DiscordStandIn } from '../stand-ins/discord.ts';
import type { BotUser, Channel, Guild } from '../stand-ins/discord-world.ts';
import { foundationOf } from './foundation.ts';
import { postJson } from './json.ts';
import type { Posthouse } from './posthouse.ts';
import { until } from './until.ts';

/** A client of the relay with a guild, and their counterparts on the platform. */
export interface ChatRig {
  discord: DiscordStandIn;
  bot: BotUser;
  guild: Guild;
  client: { id: string; name: string };
  /** Posthouse's GUID of the guild. */
  guildId: string;
  /** Creates a channel on the platform and in the relay. */
  addChannel(more?: Partial<Channel>): Promise<ChatChannel>;
}

export interface ChatChannel {
  /** The channel on the platform. */
  channel: Channel;
  /** Posthouse's GUID. */
  id: string;
  /** The fields of a request that name the target. */
  target: { clientId: string; guildId: string; channelId: string };
}

let count = 0;

/** Creates a client with a bot's token and a guild with the bot. */
export async function addChatRig(
  settings: Record<string, string>,
  discord: DiscordStandIn,
): Promise<ChatRig> {
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

/** Creates a client without a token (sandbox) with one channel. */
export async function addSandboxTarget(
  settings: Record<string, string>,
  name: string,
): Promise<ChatChannel['target']> {
  const records = await openRecords(settings);
  const client = await records.addClient(name, null);
  await records.addChannel(await records.addGuild(client.id, '100000000000000001'), '200000000000000001');
  return { clientId: name, guildId: '100000000000000001', channelId: '200000000000000001' };
}

/** Creates records as the commands do, but without processes; `test/chat-commands.test.ts` runs the commands. */
async function openRecords(settings: Record<string, string>) {
  const foundation = await foundationOf(settings);
  const { database } = foundation;
  const directory = createDirectory(foundation);
  const place = (platformId: string) => ({ platformId, name: platformId });
  const write = <Result>(work: (trx: Transaction) => Promise<Result>) => database.transaction(work);
  return {
    addClient: (name: string, token: string | null) =>
      write(
        async (trx) =>
          (await directory.addClient(trx, { name, platform: 'discord', token, relayKey: false })).client,
      ),
    addGuild: (clientId: string, platformId: string) =>
      write(async (trx) => (await directory.addGuild(trx, clientId, place(platformId))).id),
    addChannel: (guildId: string, platformId: string) =>
      write(async (trx) => (await directory.addChannel(trx, guildId, place(platformId))).id),
  };
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

/** Sends a message; returns the status and the body of the response. */
export async function sendChat(
  posthouse: Posthouse,
  body: unknown,
  headers?: Record<string, string>,
): Promise<Sent & { http: number; headers: Headers }> {
  const answer = await postJson(posthouse, '/api/chatbot/sendmessage', body, headers);
  return { http: answer.status, headers: answer.headers, ...((await answer.json()) as Sent) };
}

/** Waits until the message has one of the statuses. */
export async function untilStatus(
  posthouse: Posthouse,
  id: string,
  ...statuses: string[]
): Promise<{ status: string; attempts: number }> {
  return await until(async () => {
    const answer = await posthouse.fetch(`/api/chatbot/messages/${id}`);
    const message = (await answer.json()) as { status: string; attempts: number };
    return statuses.includes(message.status) && message;
  });
}
