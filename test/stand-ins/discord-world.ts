import { type APIOverwrite, ChannelType, PermissionFlagsBits } from 'discord-api-types/v10';

export interface BotUser {
  id: string;
  username: string;
  token: string;
}

export interface Member {
  roles: string[];
  /** ISO time. */
  timedOutUntil: string | null;
}

export interface Guild {
  id: string;
  name: string;
  ownerId: string;
  roles: { id: string; name: string; permissions: string }[];
  members: Map<string, Member>;
}

export interface Channel {
  id: string;
  guildId: string;
  name: string;
  type: number;
  overwrites: APIOverwrite[];
  parentId: string | null;
  locked: boolean;
  /** Members of a private thread. */
  threadMembers: Set<string>;
}

export interface Message {
  id: string;
  channelId: string;
  authorId: string;
  nonce: string | null;
  body: Record<string, unknown>;
  /** Mentions that notify. */
  pings: string[];
  edits: Record<string, unknown>[];
  at: number;
}

/** Default permissions of a bot: view, send, embed, read. */
export const EVERYDAY =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.SendMessages |
  PermissionFlagsBits.SendMessagesInThreads |
  PermissionFlagsBits.EmbedLinks |
  PermissionFlagsBits.ReadMessageHistory;

const EPOCH = 1_420_070_400_000;
let last = 0n;

/** Returns a new id in the platform's format. */
export function snowflake(): string {
  const now = BigInt(Date.now() - EPOCH) << 22n;
  last = now > last ? now : last + 1n;
  return String(last);
}

/** Returns a token in Discord's format, which begins with the id of the application. */
const tokenOf = (id: string) =>
  `${Buffer.from(id).toString('base64url')}.Gabcde.${crypto.randomUUID().replaceAll('-', '')}`;

/** Guilds, channels and bots, with functions to create them. */
export class World {
  readonly bots = new Map<string, BotUser>();
  readonly guilds = new Map<string, Guild>();
  readonly channels = new Map<string, Channel>();
  readonly messages: Message[] = [];

  addBot({ token }: { token?: string } = {}): BotUser {
    const id = snowflake();
    const bot = { id, username: 'relay', token: token ?? tokenOf(id) };
    this.bots.set(bot.token, bot);
    return bot;
  }

  /** Creates a guild with `bots` as members and the permissions of @everyone. */
  addGuild(bots: readonly BotUser[], permissions = EVERYDAY, id = snowflake()): Guild {
    const guild: Guild = {
      id,
      name: `guild ${id}`,
      ownerId: snowflake(),
      roles: [{ id, name: '@everyone', permissions: String(permissions) }],
      members: new Map(bots.map((bot) => [bot.id, { roles: [], timedOutUntil: null }])),
    };
    this.guilds.set(id, guild);
    return guild;
  }

  addChannel(guild: Guild, more: Partial<Channel> = {}): Channel {
    const id = more.id ?? snowflake();
    const channel: Channel = {
      id,
      guildId: guild.id,
      name: `channel-${id}`,
      type: ChannelType.GuildText,
      overwrites: [],
      parentId: null,
      locked: false,
      threadMembers: new Set(),
      ...more,
    };
    this.channels.set(id, channel);
    return channel;
  }

  /** Returns the messages of a channel, in order. */
  messagesIn(channelId: string): Message[] {
    return this.messages.filter((message) => message.channelId === channelId);
  }

  /** The rules of https://discord.com/developers/docs/topics/permissions, implemented independently of the product. */
  permissionsOf(bot: BotUser, channel: Channel): bigint {
    const guild = this.guilds.get(channel.guildId);
    const member = guild?.members.get(bot.id);
    if (!guild || !member) return 0n;
    let permissions = 0n;
    for (const role of guild.roles)
      if (role.id === guild.id || member.roles.includes(role.id)) permissions |= BigInt(role.permissions);
    if (guild.ownerId === bot.id || permissions & PermissionFlagsBits.Administrator) return ~0n;
    const { overwrites } =
      (channel.parentId === null ? null : this.channels.get(channel.parentId)) ?? channel;
    const everyone = overwrites.find(({ id }) => id === guild.id);
    if (everyone) permissions = (permissions & ~BigInt(everyone.deny)) | BigInt(everyone.allow);
    let allow = 0n;
    let deny = 0n;
    for (const overwrite of overwrites) {
      if (overwrite.type !== 0 || overwrite.id === guild.id || !member.roles.includes(overwrite.id)) continue;
      allow |= BigInt(overwrite.allow);
      deny |= BigInt(overwrite.deny);
    }
    permissions = (permissions & ~deny) | allow;
    const own = overwrites.find(({ id, type }) => type === 1 && id === bot.id);
    return own ? (permissions & ~BigInt(own.deny)) | BigInt(own.allow) : permissions;
  }
}
