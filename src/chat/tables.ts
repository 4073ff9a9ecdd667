import { sql } from 'kysely';
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
export type Platform = (typeof PLATFORMS)[number];

/** A target that the platform refused: nothing is sent to it until an administrator or a probe lifts the pause. */
interface Pausable {
  paused_at: number | null;
  /** The platform's own words. */
  pause_reason: string | null;
  /** When to ask the platform again whether it would work now. */
  probe_at: number | null;
  /** Until when the platform asked for patience (429). */
  limited_until: number | null;
}

/** A bot: the sender of messages. */
export interface ChatClientsTable extends Pausable {
  id: string;
  name: string;
  /** `foldName(name)`, unique. */
  name_key: string;
  platform: Platform;
  /** Sealed by the vault; null = sandbox. */
  bot_token: string | null;
  /** SHA-256 of the `X-Relay-Key` that callers must show; null = none. */
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

export interface ChatChannelsTable extends Pausable {
  id: string;
  guild_id: string;
  /** Snowflake. */
  platform_id: string;
  name: string;
  enabled: number;
  date_created: number;
}

/** A message into which its repeats fold. */
export interface ChatFoldsTable {
  /** Digest of the channel and of what makes two messages repeats; the message's own id once another took its place. */
  fold_key: string;
  message_id: string;
  channel_id: string;
  /** How often it came, the first time included. */
  count: number;
  window_ends_at: number;
  /** 1 while an edit that will show the count waits. */
  edit_waits: number;
}

export const chatMigrations: readonly Migration[] = [
  {
    name: '0004_chat',
    async up(schema) {
      await schema.schema
        .createTable('chat_clients')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('name_key', 'text', (c) => c.notNull().unique())
        .addColumn('platform', 'text', (c) => c.notNull())
        .addColumn('bot_token', 'text')
        .addColumn('relay_key_hash', 'text')
        .addColumn('enabled', 'integer', (c) => c.notNull())
        .addColumn('paused_at', 'bigint')
        .addColumn('pause_reason', 'text')
        .addColumn('probe_at', 'bigint')
        .addColumn('limited_until', 'bigint')
        .addColumn('date_created', 'bigint', (c) => c.notNull())
        .execute();
      await schema.schema
        .createTable('chat_guilds')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('client_id', 'text', (c) => c.notNull().references('chat_clients.id').onDelete('cascade'))
        .addColumn('platform_id', 'text', (c) => c.notNull())
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('enabled', 'integer', (c) => c.notNull())
        .addColumn('date_created', 'bigint', (c) => c.notNull())
        .addUniqueConstraint('chat_guilds_platform', ['client_id', 'platform_id'])
        .execute();
      await schema.schema
        .createTable('chat_channels')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('guild_id', 'text', (c) => c.notNull().references('chat_guilds.id').onDelete('cascade'))
        .addColumn('platform_id', 'text', (c) => c.notNull())
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('enabled', 'integer', (c) => c.notNull())
        .addColumn('paused_at', 'bigint')
        .addColumn('pause_reason', 'text')
        .addColumn('probe_at', 'bigint')
        .addColumn('limited_until', 'bigint')
        .addColumn('date_created', 'bigint', (c) => c.notNull())
        .addUniqueConstraint('chat_channels_platform', ['guild_id', 'platform_id'])
        .execute();
      await schema.schema
        .createTable('chat_folds')
        .addColumn('fold_key', 'text', (c) => c.primaryKey())
        .addColumn('message_id', 'text', (c) => c.notNull())
        .addColumn('channel_id', 'text', (c) => c.notNull())
        .addColumn('count', 'integer', (c) => c.notNull())
        .addColumn('window_ends_at', 'bigint', (c) => c.notNull())
        .addColumn('edit_waits', 'integer', (c) => c.notNull())
        .execute();
      // Every message has a row here for a while, few are looked for by their id, and the index has those few alone.
      await sql`create index chat_folds_repeated on chat_folds (message_id) where count > 1`.execute(schema);
    },
  },
];
