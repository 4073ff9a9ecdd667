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
  const client = await runJson<{ id: string; name: string }>(settings, 'chat-client', 'add', '--name', name, '--token', bot.token);
  const { id: guildId } = await addGuild(settings, client.id, guild.id);
  return {
    discord,
    bot,
    guild,
    client,
    guildId,
    async addChannel(more) {
      const channel = discord.world.addChannel(guild, more);
      const { id } = await addChannel(settings, guildId, channel.id);
      return { channel, id, target: { clientId: name, guildId: guild.id, channelId: channel.id } };
    },
  };
}

/** A client without a token, whose messages go to the sandbox, with one channel. */
export async function addSandboxTarget(settings: Record<string, string>, name: string): Promise<ChatChannel['target']> {
  const client = await runJson<{ id: string }>(settings, 'chat-client', 'add', '--name', name);
  const guild = await addGuild(settings, client.id, '100000000000000001');
  await addChannel(settings, guild.id, '200000000000000001');
  return { clientId: name, guildId: '100000000000000001', channelId: '200000000000000001' };
}

function addGuild(settings: Record<string, string>, client: string, platformId: string) {
  return runJson<{ id: string }>(settings, 'chat-guild', 'add', '--client', client, '--platform-id', platformId, '--name', 'guild');
}

export function addChannel(settings: Record<string, string>, guild: string, platformId: string) {
  return runJson<{ id: string }>(settings, 'chat-channel', 'add', '--guild', guild, '--platform-id', platformId, '--name', 'channel');
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
