import type { Selectable } from 'kysely';
import type { ChatChannelsTable, ChatClientsTable, ChatGuildsTable, Platform } from './tables.ts';

export interface PauseState {
  since: number;
  reason: string;
}

export interface ClientRecord {
  id: string;
  name: string;
  platform: Platform;
  hasToken: boolean;
  hasRelayKey: boolean;
  enabled: boolean;
  pause: PauseState | null;
  dateCreated: number;
}

export interface GuildRecord {
  id: string;
  clientId: string;
  platformId: string;
  name: string;
  enabled: boolean;
  dateCreated: number;
}

export interface ChannelRecord {
  id: string;
  guildId: string;
  platformId: string;
  name: string;
  enabled: boolean;
  pause: PauseState | null;
  dateCreated: number;
}

function pauseState(row: { paused_at: number | null; pause_reason: string | null }): PauseState | null {
  return row.paused_at === null ? null : { since: row.paused_at, reason: row.pause_reason ?? '' };
}

export function clientRecord(row: Selectable<ChatClientsTable>): ClientRecord {
  return {
    id: row.id,
    name: row.name,
    platform: row.platform,
    hasToken: row.bot_token !== null,
    hasRelayKey: row.relay_key_hash !== null,
    enabled: row.enabled === 1,
    pause: pauseState(row),
    dateCreated: row.date_created,
  };
}

export function guildRecord(row: Selectable<ChatGuildsTable>): GuildRecord {
  return {
    id: row.id,
    clientId: row.client_id,
    platformId: row.platform_id,
    name: row.name,
    enabled: row.enabled === 1,
    dateCreated: row.date_created,
  };
}

export function channelRecord(row: Selectable<ChatChannelsTable>): ChannelRecord {
  return {
    id: row.id,
    guildId: row.guild_id,
    platformId: row.platform_id,
    name: row.name,
    enabled: row.enabled === 1,
    pause: pauseState(row),
    dateCreated: row.date_created,
  };
}
