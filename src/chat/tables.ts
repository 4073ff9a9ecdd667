import type { Migration } from '../kernel/database/migrate.ts';

declare module '../kernel/database/database.ts' {
  interface Tables {
    chat_clients: ChatClientsTable;
    chat_guilds: ChatGuildsTable;
    chat_channels: ChatChannelsTable;
    chat_folds: ChatFoldsTable;
  }
}

export const PLATFORMS = ['discord', 'sandbox'] as const;
/** Platform of a client that is created without one. */
export const DEFAULT_PLATFORM = 'discord';
export type PlatformName = (typeof PLATFORMS)[number];

/** The pause of a target that the platform refused: nothing is sent until an administrator or a probe lifts it. */
interface Pausable {
  paused_at: number | null;
  /** The platform's message. */
  pause_reason: string | null;
  /** Time of the next probe with the platform, ms since the epoch. */
  probe_at: number | null;
  /** End of the platform's rate limit (429), ms since the epoch. */
  limited_until: number | null;
}

/** A bot: the sender of messages. */
export interface ChatClientsTable extends Pausable {
  id: string;
  name: string;
  /** `foldName(name)`, unique. */
  name_key: string;
  platform: PlatformName;
  /** Sealed by the vault; null = sandbox. */
  bot_token: string | null;
  /** SHA-256 of the `X-Relay-Key` that callers must send; null = none. */
  relay_key_hash: string | null;
  enabled: number;
  date_created: number;
}

export interface ChatGuildsTable {
  id: string;
  client_id: string;
  /** Snowflake. */
  platform_id: string;
  name: string;
  enabled: number;
  date_created: number;
}

export interface ChatChannelsTable extends Omit<ChatGuildsTable, 'client_id'>, Pausable {
  guild_id: string;
}

/** Folds: a message with the number of its repeats. */
export interface ChatFoldsTable {
  /** Result of `foldKeyOf`; the message's own id once another message took the key. */
  fold_key: string;
  message_id: string;
  channel_id: string;
  /** Number of times the message was sent, the first time included. */
  count: number;
  window_ends_at: number;
  /** 1 while an edit that shows the count is pending. */
  edit_waits: number;
}

const PAUSE_COLUMNS = 'paused_at bigint, pause_reason text, probe_at bigint, limited_until bigint';

const STATEMENTS = [
  `create table chat_clients (
    id text primary key, name text not null, name_key text not null unique, platform text not null, bot_token text,
    relay_key_hash text, enabled integer not null, ${PAUSE_COLUMNS}, date_created bigint not null)`,
  `create table chat_guilds (
    id text primary key, client_id text not null references chat_clients (id) on delete cascade,
    platform_id text not null, name text not null, enabled integer not null, date_created bigint not null,
    constraint chat_guilds_platform unique (client_id, platform_id))`,
  `create table chat_channels (
    id text primary key, guild_id text not null references chat_guilds (id) on delete cascade,
    platform_id text not null, name text not null, enabled integer not null, ${PAUSE_COLUMNS},
    date_created bigint not null, constraint chat_channels_platform unique (guild_id, platform_id))`,
  `create table chat_folds (
    fold_key text primary key, message_id text not null, channel_id text not null, count integer not null,
    window_ends_at bigint not null, edit_waits integer not null)`,
  // Every message has a row for a while, but only those with repeats are read by their id.
  'create index chat_folds_repeated on chat_folds (message_id) where count > 1',
];

export const chatMigrations: readonly Migration[] = [
  {
    name: '0004_chat',
    kind: 'expand',
    up: STATEMENTS,
  },
];
