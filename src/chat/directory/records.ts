import type { Selectable } from 'kysely';
import type { Vault } from '../../kernel/crypto/vault.ts';
import { Problem } from '../../kernel/problem.ts';
import type { ChatChannelsTable, ChatClientsTable, ChatGuildsTable, PlatformName } from '../tables.ts';
import { inviteUrlOf } from './bot-token.ts';

export interface PauseState {
  since: number;
  reason: string;
}

/** Times are ms since the epoch. */
interface CommonRecord {
  id: string;
  name: string;
  enabled: boolean;
  dateCreated: number;
}

export interface ClientRecord extends CommonRecord {
  platform: PlatformName;
  hasToken: boolean;
  hasRelayKey: boolean;
  /** Page of the platform that adds the bot to a guild; null unless the token names its application. */
  inviteUrl: string | null;
  pause: PauseState | null;
}

export interface GuildRecord extends CommonRecord {
  clientId: string;
  platformId: string;
}

export interface ChannelRecord extends CommonRecord {
  guildId: string;
  platformId: string;
  pause: PauseState | null;
}

export function clientRecord(vault: Vault, row: Selectable<ChatClientsTable>): ClientRecord {
  return {
    ...commonFields(row),
    platform: row.platform,
    hasToken: row.bot_token !== null,
    hasRelayKey: row.relay_key_hash !== null,
    inviteUrl: row.platform === 'discord' ? inviteUrlOf(vault, row.id, row.bot_token) : null,
    pause: pauseState(row),
  };
}

export function guildRecord(row: Selectable<ChatGuildsTable>): GuildRecord {
  return { ...commonFields(row), clientId: row.client_id, platformId: row.platform_id };
}

export function channelRecord(row: Selectable<ChatChannelsTable>): ChannelRecord {
  return {
    ...commonFields(row),
    guildId: row.guild_id,
    platformId: row.platform_id,
    pause: pauseState(row),
  };
}

function commonFields({
  id,
  name,
  enabled,
  date_created,
}: Pick<ChatGuildsTable, 'id' | 'name' | 'enabled' | 'date_created'>) {
  return { id, name, enabled: enabled === 1, dateCreated: date_created };
}

function pauseState(row: { paused_at: number | null; pause_reason: string | null }): PauseState | null {
  return row.paused_at === null ? null : { since: row.paused_at, reason: row.pause_reason ?? '' };
}

const UNKNOWN = {
  client: 'There is no chat client with this name or id.',
  guild: 'The client has no guild with this id.',
  channel: 'The guild has no channel with this id.',
} as const;

/** 404 `unknown_client`, `unknown_guild` or `unknown_channel`. */
export function unknown(of: keyof typeof UNKNOWN): Problem {
  return new Problem(`unknown_${of}`, UNKNOWN[of]);
}
