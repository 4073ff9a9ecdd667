import { Routes } from 'discord-api-types/rest/v10';
import type { z } from 'zod';
import type { Target } from '../directory/targets.ts';
import { Blocked } from '../platform/obstacles.ts';
import type { Bot } from '../platform/platform.ts';
import { type Failure, PlatformError } from '../platform/platform-errors.ts';
import {
  channelResponse,
  guildResponse,
  memberResponse,
  query,
  rolesResponse,
  userResponse,
} from '../platform/responses.ts';
import { isThread, permissionsOf, takesMessages } from './permissions.ts';

type Channel = z.infer<typeof channelResponse>;

/** The membership and permissions of the bot in a channel. */
export interface BotAccess {
  channel: Channel;
  member: z.infer<typeof memberResponse>;
  may(permission: bigint): boolean;
}

/** Queries the platform for the access of the bot to a target. @throws Blocked, PlatformError */
export async function readBotAccess(bot: Bot, { guild, channel }: Target): Promise<BotAccess> {
  const me = await explained(query(bot, '/users/@me', userResponse), noApi);
  const [platformGuild, member] = await explained(
    Promise.all([
      query(bot, Routes.guild(guild.platformId), guildResponse),
      query(bot, Routes.guildMember(guild.platformId, me.id), memberResponse),
    ]),
    notInGuild,
  );
  const found = await getChannel(bot, channel.platformId);
  if (found.guild_id !== guild.platformId)
    throw new Blocked('channel_in_other_guild', 'The channel is not in this guild.');
  if (!takesMessages(found.type))
    throw new Blocked('channel_takes_no_messages', 'A channel of this type accepts no messages.');
  // Threads have no overwrites (https://discord.com/developers/docs/topics/threads#permissions).
  const withOverwrites = isThread(found.type) ? await getChannel(bot, found.parent_id ?? '') : found;
  const permissions = permissionsOf({
    memberId: me.id,
    memberRoles: member.roles,
    ownerId: platformGuild.owner_id ?? null,
    guildId: platformGuild.id,
    // Discord sends the roles with the guild, other servers only at a separate route.
    roles: platformGuild.roles?.length
      ? platformGuild.roles
      : await query(bot, Routes.guildRoles(guild.platformId), rolesResponse),
    overwrites: withOverwrites.permission_overwrites ?? [],
  });
  return { channel: found, member, may: (permission) => (permissions & permission) === permission };
}

async function getChannel(bot: Bot, id: string): Promise<Channel> {
  return await explained(query(bot, Routes.channel(id), channelResponse), noChannel);
}

/**
 * Waits for the response to a call.
 * @param blockedBy returns what a failed call reveals; null = nothing
 * @throws Blocked, PlatformError
 */
async function explained<Result>(
  call: Promise<Result>,
  blockedBy: (failure: Failure, message: string) => Blocked | null,
): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    throw (error instanceof PlatformError && blockedBy(error.failure, error.message)) || error;
  }
}

function noApi({ kind }: Failure, message: string): Blocked | null {
  return kind === 'missing'
    ? new Blocked('platform_incompatible', `The platform’s address does not serve Discord’s API: ${message}`)
    : null;
}

/** The token was just accepted, so a 401 concerns the guild, as on spacebarchat/server. */
function notInGuild({ kind }: Failure, message: string): Blocked | null {
  return kind === 'missing' || kind === 'forbidden' || kind === 'unauthorized'
    ? new Blocked('bot_not_in_guild', `The bot is not in the guild: ${message}`)
    : null;
}

function noChannel({ kind }: Failure, message: string): Blocked | null {
  if (kind === 'missing') return new Blocked('channel_not_found', message);
  return kind === 'forbidden'
    ? new Blocked('missing_view_channel', `The bot may not view the channel: ${message}`)
    : null;
}
