import { ChannelType, OverwriteType, PermissionFlagsBits } from 'discord-api-types/payloads/v10';

/** The data of the platform that determine the permissions of a member in a channel. */
export interface MemberFacts {
  memberId: string;
  /** Ids of the member's roles, without @everyone. */
  memberRoles: readonly string[];
  /** Null = unknown. */
  ownerId: string | null;
  /** Also the id of the role @everyone. */
  guildId: string;
  roles: readonly { id: string; permissions: string }[];
  overwrites: readonly { id: string; type: number; allow: string; deny: string }[];
}

/**
 * Returns the member's permissions in the channel
 * (https://discord.com/developers/docs/topics/permissions#permission-overwrites).
 */
export function permissionsOf(facts: MemberFacts): bigint {
  const { memberId, ownerId, guildId, roles, overwrites } = facts;
  const memberRoles = new Set(facts.memberRoles);
  const all = Object.values(PermissionFlagsBits).reduce((sum, bit) => sum | bit, 0n);
  if (memberId === ownerId) return all;
  const held = roles.filter(({ id }) => id === guildId || memberRoles.has(id));
  const base = held.reduce((sum, { permissions }) => sum | BigInt(permissions), 0n);
  if (base & PermissionFlagsBits.Administrator) return all;

  const apply = (permissions: bigint, which: (overwrite: MemberFacts['overwrites'][number]) => boolean) => {
    const chosen = overwrites.filter(which);
    const deny = chosen.reduce((sum, overwrite) => sum | BigInt(overwrite.deny), 0n);
    const allow = chosen.reduce((sum, overwrite) => sum | BigInt(overwrite.allow), 0n);
    return (permissions & ~deny) | allow;
  };
  const everyone = apply(base, ({ type, id }) => type === OverwriteType.Role && id === guildId);
  const byRole = apply(
    everyone,
    ({ type, id }) => type === OverwriteType.Role && id !== guildId && memberRoles.has(id),
  );
  return apply(byRole, ({ type, id }) => type === OverwriteType.Member && id === memberId);
}

const THREADS: readonly number[] = [
  ChannelType.AnnouncementThread,
  ChannelType.PublicThread,
  ChannelType.PrivateThread,
];
const TAKES_MESSAGES: readonly number[] = [
  ChannelType.GuildText,
  ChannelType.GuildVoice,
  ChannelType.GuildAnnouncement,
  ChannelType.GuildStageVoice,
  ...THREADS,
];

export function isThread(channelType: number): boolean {
  return THREADS.includes(channelType);
}

export function takesMessages(channelType: number): boolean {
  return TAKES_MESSAGES.includes(channelType);
}
