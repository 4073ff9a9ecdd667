import {
  type APIChannel,
  type APIGuild,
  type APIGuildMember,
  type APIUser,
  ChannelType,
  PermissionFlagsBits,
  Routes,
} from 'discord-api-types/v10';
import { type Clock, MINUTE, SECOND } from '../kernel/clock.ts';
import type { Vault } from '../kernel/crypto/vault.ts';
import { BOT_TOKEN_PURPOSE } from './directory.ts';
import { isThread, permissionsOf, takesMessages } from './permissions.ts';
import { type Bot, type Platform, PlatformError, patiently, type Trouble } from './platform.ts';
import type { Target } from './targets.ts';

/** Why a message cannot be sent. */
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

export interface Reachability {
  canSend: boolean;
  reason: Obstacle | null;
  /** A sentence for people. */
  detail: string;
}

/** Finds out from the platform whether a message could be sent. */
export interface Reach {
  /** With the answer of the last minute, if there is one. */
  check(target: Target): Promise<Reachability>;
  /** The platform alone, asked now; nothing of pauses or of what administrators switched off. */
  ask(target: Target): Promise<Reachability>;
}

const REMEMBERED_MS = MINUTE;
/** What is no statement about the target is soon asked again. */
const REMEMBERED_TROUBLE_MS = 5 * SECOND;
const KEPT = 10_000;

class Blocked extends Error {
  readonly reason: Obstacle;
  constructor(reason: Obstacle, detail: string) {
    super(detail);
    this.reason = reason;
  }
}

export function createReach({ platform, vault, clock }: { platform: Platform; vault: Vault; clock: Clock }): Reach {
  const remembered = new Map<string, { answer: Promise<Reachability>; until: number }>();
  const no = (reason: Obstacle, detail: string): Reachability => ({ canSend: false, reason, detail });

  async function ask(target: Target): Promise<Reachability> {
    if (target.client.sealedToken === null) return { canSend: true, reason: null, detail: 'Messages of this client go to the sandbox.' };
    try {
      await requireReach(patiently(platform(vault.open(BOT_TOKEN_PURPOSE, target.client.sealedToken))), target, clock.now());
      return { canSend: true, reason: null, detail: 'The bot may view the channel, send and embed.' };
    } catch (error) {
      if (error instanceof Blocked) return no(error.reason, error.message);
      if (!(error instanceof PlatformError)) throw error;
      const { kind } = error.trouble;
      if (kind === 'limited' || kind === 'exhausted') return no('rate_limited', error.message);
      return kind === 'unauthorized' ? no('token_refused', error.message) : no('platform_unreachable', error.message);
    }
  }

  return {
    ask,
    async check(target) {
      if (target.disabled) return no('target_disabled', `The ${target.disabled} was switched off by an administrator.`);
      if (target.pause) return no('target_paused', `The ${target.pause.of} is paused: ${target.pause.reason}`);
      const key = `${target.channel.id} ${target.client.sealedToken}`;
      const now = clock.now();
      const known = remembered.get(key);
      if (known && known.until > now) return await known.answer;
      if (remembered.size >= KEPT) remembered.clear();
      const entry = { answer: ask(target), until: now + REMEMBERED_MS };
      remembered.set(key, entry);
      const forget = () => void remembered.delete(key);
      entry.answer.then(({ reason }) => {
        if (reason === 'rate_limited' || reason === 'platform_unreachable') entry.until = clock.now() + REMEMBERED_TROUBLE_MS;
      }, forget);
      return await entry.answer;
    },
  };
}

/** @throws Blocked, PlatformError */
async function requireReach(bot: Bot, { guild, channel }: Target, now: number): Promise<void> {
  const get = async <Answer>(route: string, absent: (trouble: Trouble, words: string) => Blocked | null): Promise<Answer> => {
    try {
      return (await bot.call('GET', route as `/${string}`)) as Answer;
    } catch (error) {
      throw (error instanceof PlatformError && absent(error.trouble, error.message)) || error;
    }
  };
  const notInGuild = ({ kind }: Trouble, words: string) =>
    kind === 'missing' || kind === 'forbidden' ? new Blocked('bot_not_in_guild', `The bot is not in the guild: ${words}`) : null;
  const noChannel = ({ kind }: Trouble, words: string) =>
    kind === 'missing'
      ? new Blocked('channel_not_found', words)
      : kind === 'forbidden'
        ? new Blocked('missing_view_channel', `The bot may not view the channel: ${words}`)
        : null;

  const me = await get<APIUser>('/users/@me', () => null);
  const [whole, member] = await Promise.all([
    get<APIGuild>(Routes.guild(guild.platformId), notInGuild),
    get<APIGuildMember>(Routes.guildMember(guild.platformId, me.id), notInGuild),
  ]);
  const place = (await get<APIChannel>(Routes.channel(channel.platformId), noChannel)) as GuildPlace;
  if (place.guild_id !== guild.platformId) throw new Blocked('channel_in_other_guild', 'The channel is not of this guild.');
  if (!takesMessages(place.type)) throw new Blocked('channel_takes_no_messages', 'Nobody can write into a channel of this type.');

  // A thread has no overwrites of its own (https://discord.com/developers/docs/topics/threads#permissions).
  const thread = isThread(place.type);
  const ruling = thread ? ((await get<APIChannel>(Routes.channel(place.parent_id ?? ''), noChannel)) as GuildPlace) : place;
  const permissions = permissionsOf({
    memberId: me.id,
    memberRoles: member.roles,
    ownerId: whole.owner_id,
    guildId: whole.id,
    roles: whole.roles,
    overwrites: ruling.permission_overwrites ?? [],
  });
  const may = (bit: bigint) => (permissions & bit) === bit;
  const moderates = may(PermissionFlagsBits.ManageThreads);
  const privateToOthers = place.type === ChannelType.PrivateThread && !place.member && !moderates;
  if (!may(PermissionFlagsBits.ViewChannel) || privateToOthers) {
    throw new Blocked('missing_view_channel', 'The bot may not view the channel.');
  }
  if (
    member.communication_disabled_until &&
    Date.parse(member.communication_disabled_until) > now &&
    !may(PermissionFlagsBits.Administrator)
  ) {
    throw new Blocked('bot_timed_out', 'The bot is timed out in this guild.');
  }
  if (place.thread_metadata?.locked && !moderates) throw new Blocked('thread_locked', 'The thread is locked.');
  const sending = thread ? PermissionFlagsBits.SendMessagesInThreads : PermissionFlagsBits.SendMessages;
  if (!may(sending)) throw new Blocked('missing_send_messages', 'The bot may not send messages in the channel.');
  if (!may(PermissionFlagsBits.EmbedLinks)) throw new Blocked('missing_embed_links', 'The bot may not embed links in the channel.');
}

/** What the platform tells of any channel of a guild. */
interface GuildPlace {
  type: number;
  guild_id?: string;
  parent_id?: string | null;
  permission_overwrites?: { id: string; type: number; allow: string; deny: string }[];
  thread_metadata?: { locked?: boolean };
  /** Of a thread that the bot is a member of. */
  member?: unknown;
}
