import { createCache } from '../../kernel/cache.ts';
import { type Clock, SECOND } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/database/database.ts';
import { Problem } from '../../kernel/problem.ts';
import { foldName } from './names.ts';
import { unknown } from './records.ts';
import { createTargetRevision } from './target-revision.ts';

/** The destination of a message, with everything that decides whether it may be sent. */
export interface Target {
  client: {
    id: string;
    /** Sealed by `sealBotToken`; null = the messages go to the sandbox. */
    sealedToken: string | null;
    relayKeyHash: string | null;
  };
  guild: { id: string; platformId: string };
  channel: { id: string; platformId: string };
  /** The outermost record that an administrator disabled; null = none. */
  disabled: 'client' | 'guild' | 'channel' | null;
  pause: { of: 'client' | 'channel'; reason: string } | null;
  /** End of the platform's rate limit, in ms since the epoch; 0 = none. */
  limitedUntil: number;
}

/** A target in a request: the client by name or GUID, guild and channel by snowflake or GUID. */
export interface TargetReference {
  clientId: string;
  guildId: string;
  channelId: string;
}

/** Reads targets, and caches them until `changeTargets` on any node. */
export interface Targets {
  /** @throws Problem 404 `unknown_client`, `unknown_guild`, `unknown_channel` */
  find(reference: TargetReference): Promise<Target>;
  /** Returns the target with our id of the channel; null = it was deleted. */
  ofChannel(channelId: string): Promise<Target | null>;
}

/** Programs of earlier versions change the tables without a new revision, so entries also expire. */
const REMEMBERED_MS = 2 * SECOND;
const TARGETS_KEPT = 10_000;

interface TargetsDeps {
  database: Database;
  clock: Clock;
}

/** @throws Problem 409 `target_disabled`, `target_paused` */
export function requireOpen(target: Target): void {
  if (target.disabled)
    throw new Problem('target_disabled', `An administrator disabled the ${target.disabled}.`);
  if (target.pause) {
    throw new Problem(
      'target_paused',
      `The ${target.pause.of} is paused, because the platform refused it: ${target.pause.reason}`,
    );
  }
}

export function createTargets({ database, clock }: TargetsDeps): Targets {
  const remembered = createCache<Promise<Target | null>>({
    max: TARGETS_KEPT,
    expiry: { ttlMs: REMEMBERED_MS, clock },
  });
  const readRevision = createTargetRevision(database);
  let revision = '';

  /** Shares one lookup between concurrent callers; a failure or a missing target is not cached. */
  async function remember(key: string, look: () => Promise<Target | null>): Promise<Target | null> {
    const current = await readRevision();
    if (current !== revision) remembered.clear();
    revision = current;
    const known = remembered.get(key);
    if (known) return await known;
    const target = look();
    remembered.set(key, target);
    const drop = () => {
      if (remembered.peek(key) === target) remembered.delete(key);
    };
    target.then((found) => {
      if (found === null) drop();
    }, drop);
    return await target;
  }

  return {
    async find(reference) {
      const { clientId, guildId, channelId } = reference;
      const target = await remember(`${clientId}\n${guildId}\n${channelId}`, () =>
        findTarget(database, reference),
      );
      if (!target) throw unknown('channel');
      return target;
    },
    ofChannel: (channelId) => remember(channelId, () => targetOfChannel(database, channelId)),
  };
}

async function targetOfChannel(database: Database, channelId: string): Promise<Target | null> {
  const row = await rows(database).where('chat_channels.id', '=', channelId).executeTakeFirst();
  return row ? asTarget(row) : null;
}

/** @throws Problem 404 for the first of client, guild and channel that does not exist */
async function findTarget(
  database: Database,
  { clientId, guildId, channelId }: TargetReference,
): Promise<Target | null> {
  const found = await database.read
    .selectFrom('chat_clients')
    .leftJoin('chat_guilds', (join) =>
      join
        .onRef('chat_guilds.client_id', '=', 'chat_clients.id')
        .on((on) =>
          on.or([
            on('chat_guilds.platform_id', '=', guildId),
            on('chat_guilds.id', '=', guildId.toLowerCase()),
          ]),
        ),
    )
    .leftJoin('chat_channels', (join) =>
      join
        .onRef('chat_channels.guild_id', '=', 'chat_guilds.id')
        .on((on) =>
          on.or([
            on('chat_channels.platform_id', '=', channelId),
            on('chat_channels.id', '=', channelId.toLowerCase()),
          ]),
        ),
    )
    .select(['chat_guilds.id as guild', 'chat_channels.id as channel'])
    .where((where) =>
      where.or([
        where('chat_clients.id', '=', clientId.toLowerCase()),
        where('chat_clients.name_key', '=', foldName(clientId)),
      ]),
    )
    .executeTakeFirstOrThrow(() => unknown('client'));
  if (found.guild === null) throw unknown('guild');
  if (found.channel === null) throw unknown('channel');
  return await targetOfChannel(database, found.channel);
}

function rows(database: Database) {
  return database.read
    .selectFrom('chat_channels')
    .innerJoin('chat_guilds', 'chat_guilds.id', 'chat_channels.guild_id')
    .innerJoin('chat_clients', 'chat_clients.id', 'chat_guilds.client_id')
    .select([
      'chat_clients.id as client_id',
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
      sealedToken: row.platform === 'sandbox' ? null : row.bot_token,
      relayKeyHash: row.relay_key_hash,
    },
    guild: { id: row.guild_id, platformId: row.guild_platform_id },
    channel: { id: row.channel_id, platformId: row.channel_platform_id },
    disabled: disabledOf(row),
    pause: pauseOf(row),
    limitedUntil: Math.max(row.client_limited_until ?? 0, row.channel_limited_until ?? 0),
  };
}

function disabledOf(row: Row): Target['disabled'] {
  if (row.client_enabled === 0) return 'client';
  if (row.guild_enabled === 0) return 'guild';
  return row.channel_enabled === 0 ? 'channel' : null;
}

function pauseOf(row: Row): Target['pause'] {
  if (row.client_paused_at !== null) return { of: 'client', reason: row.client_pause_reason ?? '' };
  return row.channel_paused_at === null ? null : { of: 'channel', reason: row.channel_pause_reason ?? '' };
}
