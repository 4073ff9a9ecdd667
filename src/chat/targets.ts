import { type Clock, SECOND } from '../kernel/clock.ts';
import type { Database } from '../kernel/database/database.ts';
import type { Signals } from '../kernel/database/signals.ts';
import { Problem } from '../kernel/http/problem.ts';
import { unknownChannel, unknownClient, unknownGuild } from './directory.ts';
import { foldName } from './names.ts';

/** Where a message goes, with all that decides whether it may. */
export interface Target {
  client: {
    id: string;
    name: string;
    /** Sealed for `BOT_TOKEN_PURPOSE`; null = the messages go to the sandbox. */
    sealedToken: string | null;
    relayKeyHash: string | null;
  };
  guild: { id: string; platformId: string };
  channel: { id: string; platformId: string };
  /** By an administrator. */
  disabled: 'client' | 'guild' | 'channel' | null;
  pause: { of: 'client' | 'channel'; reason: string } | null;
  /** Until when the platform asked for patience; 0 = it did not. Ms since the epoch. */
  limitedUntil: number;
}

/** As a caller names it: a client by name or GUID, guild and channel by snowflake or GUID. */
export interface TargetReference {
  clientId: string;
  guildId: string;
  channelId: string;
}

/** Looks targets up, and remembers them for a few seconds. */
export interface Targets {
  /** @throws Problem 404 `unknown_client`, `unknown_guild`, `unknown_channel` */
  find(reference: TargetReference): Promise<Target>;
  /** By our own id of the channel; null = it was deleted. */
  ofChannel(channelId: string): Promise<Target | null>;
  /** Call after a change to clients, guilds or channels is committed: every node looks anew. */
  forget(): void;
  stop(): void;
}

/** Commands change the tables in another process, from which no signal comes on SQLite. */
const REMEMBERED_MS = 2 * SECOND;
const KEPT = 10_000;
const CHANGED = 'chat-targets';

/** @throws Problem 409 `target_disabled`, `target_paused` */
export function requireOpen(target: Target): void {
  if (target.disabled) throw new Problem('target_disabled', `The ${target.disabled} was switched off by an administrator.`);
  if (target.pause) {
    throw new Problem('target_paused', `The ${target.pause.of} is paused, since the platform refused it: ${target.pause.reason}`);
  }
}

export function createTargets({ database, signals, clock }: { database: Database; signals: Signals; clock: Clock }): Targets {
  const remembered = new Map<string, { target: Promise<Target | null>; until: number }>();
  const unlisten = signals.listen(CHANGED, () => remembered.clear());

  /** One look for all who ask at the same time; what is not there, or could not be read, is not remembered. */
  function remember(key: string, look: () => Promise<Target | null>): Promise<Target | null> {
    const known = remembered.get(key);
    const now = clock.now();
    if (known && known.until > now) return known.target;
    if (remembered.size >= KEPT) remembered.clear();
    const target = look();
    const entry = { target, until: now + REMEMBERED_MS };
    remembered.set(key, entry);
    const drop = () => {
      if (remembered.get(key) === entry) remembered.delete(key);
    };
    target.then((found) => {
      if (found === null) drop();
    }, drop);
    return target;
  }

  return {
    async find({ clientId, guildId, channelId }) {
      const target = await remember(`${clientId}\n${guildId}\n${channelId}`, () => look({ clientId, guildId, channelId }));
      if (!target) throw unknownChannel();
      return target;
    },
    ofChannel: (channelId) =>
      remember(channelId, async () => {
        const row = await rows(database).where('chat_channels.id', '=', channelId).executeTakeFirst();
        return row ? asTarget(row) : null;
      }),
    forget() {
      remembered.clear();
      signals.emit(CHANGED);
    },
    stop: unlisten,
  };

  async function look({ clientId, guildId, channelId }: TargetReference): Promise<Target> {
    const found = await database.read
      .selectFrom('chat_clients')
      .leftJoin('chat_guilds', (join) =>
        join
          .onRef('chat_guilds.client_id', '=', 'chat_clients.id')
          .on((on) => on.or([on('chat_guilds.platform_id', '=', guildId), on('chat_guilds.id', '=', guildId.toLowerCase())])),
      )
      .leftJoin('chat_channels', (join) =>
        join
          .onRef('chat_channels.guild_id', '=', 'chat_guilds.id')
          .on((on) => on.or([on('chat_channels.platform_id', '=', channelId), on('chat_channels.id', '=', channelId.toLowerCase())])),
      )
      .select(['chat_guilds.id as guild', 'chat_channels.id as channel'])
      .where((where) =>
        where.or([where('chat_clients.id', '=', clientId.toLowerCase()), where('chat_clients.name_key', '=', foldName(clientId))]),
      )
      .executeTakeFirst();
    if (!found) throw unknownClient();
    if (found.guild === null) throw unknownGuild();
    if (found.channel === null) throw unknownChannel();
    const row = await rows(database).where('chat_channels.id', '=', found.channel).executeTakeFirst();
    if (!row) throw unknownChannel();
    return asTarget(row);
  }
}

function rows(database: Database) {
  return database.read
    .selectFrom('chat_channels')
    .innerJoin('chat_guilds', 'chat_guilds.id', 'chat_channels.guild_id')
    .innerJoin('chat_clients', 'chat_clients.id', 'chat_guilds.client_id')
    .select([
      'chat_clients.id as client_id',
      'chat_clients.name as client_name',
      'chat_clients.platform',
      'chat_clients.bot_token',
      'chat_clients.relay_key_hash',
      'chat_clients.enabled as client_enabled',
      'chat_clients.paused_at as client_paused_at',
      'chat_clients.pause_reason as client_pause_reason',
      'chat_clients.limited_until as client_limited_until',
      'chat_guilds.id as guild_id',
      'chat_guilds.platform_id as guild_platform_id',
      'chat_guilds.enabled as guild_enabled',
      'chat_channels.id as channel_id',
      'chat_channels.platform_id as channel_platform_id',
      'chat_channels.enabled as channel_enabled',
      'chat_channels.paused_at as channel_paused_at',
      'chat_channels.pause_reason as channel_pause_reason',
      'chat_channels.limited_until as channel_limited_until',
    ]);
}

type Row = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number];

function asTarget(row: Row): Target {
  return {
    client: {
      id: row.client_id,
      name: row.client_name,
      sealedToken: row.platform === 'sandbox' ? null : row.bot_token,
      relayKeyHash: row.relay_key_hash,
    },
    guild: { id: row.guild_id, platformId: row.guild_platform_id },
    channel: { id: row.channel_id, platformId: row.channel_platform_id },
    disabled: row.client_enabled === 0 ? 'client' : row.guild_enabled === 0 ? 'guild' : row.channel_enabled === 0 ? 'channel' : null,
    pause:
      row.client_paused_at !== null
        ? { of: 'client', reason: row.client_pause_reason ?? '' }
        : row.channel_paused_at !== null
          ? { of: 'channel', reason: row.channel_pause_reason ?? '' }
          : null,
    limitedUntil: Math.max(row.client_limited_until ?? 0, row.channel_limited_until ?? 0),
  };
}
