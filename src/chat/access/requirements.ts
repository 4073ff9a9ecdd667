import { ChannelType, PermissionFlagsBits } from 'discord-api-types/payloads/v10';
import type { Target } from '../directory/targets.ts';
import { Blocked, type Obstacle } from '../platform/obstacles.ts';
import type { Bot } from '../platform/platform.ts';
import { type BotAccess, readBotAccess } from './bot-access.ts';
import { isThread } from './permissions.ts';

/** Checks that the bot can send to a target. @param now ms since the epoch @throws Blocked, PlatformError */
export async function requireReach(bot: Bot, target: Target, now: number): Promise<void> {
  const access = await readBotAccess(bot, target);
  for (const [reason, detail, blocks] of CHECKS) if (blocks(access, now)) throw new Blocked(reason, detail);
}

/** The checks, in order: an earlier obstacle often causes the later ones. */
const CHECKS: readonly (readonly [Obstacle, string, (access: BotAccess, now: number) => boolean])[] = [
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
    ({ member, may }, now) =>
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
