import {
  type APIChannel,
  type APIGuild,
  type APIGuildMember,
  type APIUser,
  ChannelType,
  PermissionFlagsBits,
  Routes,
} from 'discord-api-types/v10';
import { isThread, permissionsOf, takesMessages } from './permissions.ts';
import type { Bot } from './platform.ts';
import { PlatformError, type Trouble } from './platform-errors.ts';
import type { Target } from './targets.ts';

export const OBSTACLES = [
  'target_disabled',
  'target_paused',
  'token_refused',
  'bot_not_in_guild',
  'channel_not_found',
  'channel_in_other_guild',
  'channel_takes_no_messages',
  'thread_locked',
  'bot_timed_out',
  'missing_view_channel',
  'missing_send_messages',
  'missing_embed_links',
  'rate_limited',
  'platform_unreachable',
] as const;
export type Obstacle = (typeof OBSTACLES)[number];

/** The platform's answers show that a message cannot be sent. */
export class Blocked extends Error {
  readonly reason: Obstacle;
  constructor(reason: Obstacle, detail: string) {
    super(detail);
    this.reason = reason;
  }
}

/** The fields that any channel of a guild has in the platform's answers. */
interface GuildChannel {
  type: number;
  guild_id?: string;
  parent_id?: string | null;
  permission_overwrites?: { id: string; type: number; allow: string; deny: string }[];
  thread_metadata?: { locked?: boolean };
  /** Present on a thread that the bot is a member of. */
  member?: unknown;
}

/** The bot's position in a channel. */
interface Position {
  channel: GuildChannel;
  member: APIGuildMember;
  may(permission: bigint): boolean;
  /** Ms since the epoch. */
  now: number;
}

/** @throws Blocked, PlatformError */
export async function requireReach(bot: Bot, target: Target, now: number): Promise<void> {
  const position = await readPosition(bot, target, now);
  for (const [reason, detail, blocks] of CHECKS) if (blocks(position)) throw new Blocked(reason, detail);
}

/** In this order: an earlier obstacle explains more than a later one. */
const CHECKS: readonly (readonly [Obstacle, string, (position: Position) => boolean])[] = [
  [
    'missing_view_channel',
    'The bot may not view the channel.',
    ({ channel, may }) =>
      !may(PermissionFlagsBits.ViewChannel) ||
      (channel.type === ChannelType.PrivateThread &&
        !channel.member &&
        !may(PermissionFlagsBits.ManageThreads)),
  ],
  [
    'bot_timed_out',
    'The bot is timed out in this guild.',
    ({ member, may, now }) =>
      Date.parse(member.communication_disabled_until ?? '') > now && !may(PermissionFlagsBits.Administrator),
  ],
  [
    'thread_locked',
    'The thread is locked.',
    ({ channel, may }) => channel.thread_metadata?.locked === true && !may(PermissionFlagsBits.ManageThreads),
  ],
  [
    'missing_send_messages',
    'The bot may not send messages in the channel.',
    ({ channel, may }) =>
      !may(
        isThread(channel.type) ? PermissionFlagsBits.SendMessagesInThreads : PermissionFlagsBits.SendMessages,
      ),
  ],
  [
    'missing_embed_links',
    'The bot may not embed links in the channel.',
    ({ may }) => !may(PermissionFlagsBits.EmbedLinks),
  ],
];

/** @throws Blocked, PlatformError */
async function readPosition(bot: Bot, { guild, channel }: Target, now: number): Promise<Position> {
  const me = await get<APIUser>(bot, '/users/@me', () => null);
  const [whole, member] = await Promise.all([
    get<APIGuild>(bot, Routes.guild(guild.platformId), notInGuild),
    get<APIGuildMember>(bot, Routes.guildMember(guild.platformId, me.id), notInGuild),
  ]);
  const found = await getChannel(bot, channel.platformId);
  if (found.guild_id !== guild.platformId)
    throw new Blocked('channel_in_other_guild', 'The channel is not in this guild.');
  if (!takesMessages(found.type))
    throw new Blocked('channel_takes_no_messages', 'A channel of this type takes no messages.');
  // Threads have no overwrites (https://discord.com/developers/docs/topics/threads#permissions).
  const ruling = isThread(found.type) ? await getChannel(bot, found.parent_id ?? '') : found;
  const permissions = permissionsOf({
    memberId: me.id,
    memberRoles: member.roles,
    ownerId: whole.owner_id,
    guildId: whole.id,
    roles: whole.roles,
    overwrites: ruling.permission_overwrites ?? [],
  });
  return { channel: found, member, may: (permission) => (permissions & permission) === permission, now };
}

async function getChannel(bot: Bot, id: string): Promise<GuildChannel> {
  return (await get<APIChannel>(bot, Routes.channel(id), noChannel)) as GuildChannel;
}

/** @param blockedBy returns what a failed call says about the target; null = nothing */
async function get<Answer>(
  bot: Bot,
  route: string,
  blockedBy: (trouble: Trouble, message: string) => Blocked | null,
): Promise<Answer> {
  try {
    return (await bot.call('GET', route as `/${string}`)) as Answer;
  } catch (error) {
    throw (error instanceof PlatformError && blockedBy(error.trouble, error.message)) || error;
  }
}

function notInGuild({ kind }: Trouble, message: string): Blocked | null {
  return kind === 'missing' || kind === 'forbidden'
    ? new Blocked('bot_not_in_guild', `The bot is not in the guild: ${message}`)
    : null;
}

function noChannel({ kind }: Trouble, message: string): Blocked | null {
  if (kind === 'missing') return new Blocked('channel_not_found', message);
  return kind === 'forbidden'
    ? new Blocked('missing_view_channel', `The bot may not view the channel: ${message}`)
    : null;
}
