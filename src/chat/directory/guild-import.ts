import { Routes } from 'discord-api-types/rest/v10';
import type { Database, Transaction } from '../../kernel/database/database.ts';
import { invalidField, Problem } from '../../kernel/problem.ts';
import { MAX_NAME_LENGTH } from '../../kernel/shared-fields.ts';
import { takesMessages } from '../access/permissions.ts';
import { type Bot, waitingBot } from '../platform/platform.ts';
import { PlatformError } from '../platform/platform-errors.ts';
import { channelsResponse, guildsResponse, query } from '../platform/responses.ts';
import type { Bots } from './bot-token.ts';
import type { Directory, NewRecord } from './directory.ts';
import { unknown } from './records.ts';

/** A guild of the bot, with its channels that accept messages. */
export interface PlatformGuild extends NewRecord {
  channels: NewRecord[];
}

/** Imports the guilds and channels of a client's bot from the platform. */
export interface GuildImport {
  /**
   * Queries the platform for the guilds of the client's bot.
   * @throws Problem 404 `unknown_client`, 400 when the client has no token, 502 `platform_rejected`,
   * `platform_incompatible`
   */
  list(clientId: string): Promise<PlatformGuild[]>;
  /**
   * Adds records of the `guilds` that the client does not have yet; returns their number.
   * @param only platform ids of the channels to add; null = all
   */
  adopt(
    trx: Transaction,
    clientId: string,
    guilds: readonly PlatformGuild[],
    only: ReadonlySet<string> | null,
  ): Promise<{ guilds: number; channels: number }>;
}

interface GuildImportDeps {
  database: Database;
  directory: Directory;
  bots: Bots;
}

export function createGuildImport({ database, directory, bots }: GuildImportDeps): GuildImport {
  return {
    async list(clientId) {
      const client = await database.read
        .selectFrom('chat_clients')
        .select('bot_token')
        .where('id', '=', clientId)
        .executeTakeFirstOrThrow(() => unknown('client'));
      if (client.bot_token === null) throw invalidField('token', 'is required to query the platform');
      return await guildsOf(waitingBot(bots(clientId, client.bot_token)));
    },

    async adopt(trx, clientId, guilds, only) {
      const added = { guilds: 0, channels: 0 };
      // A simultaneous import of the same guilds would otherwise be refused as adding them twice.
      await database.lock(
        trx,
        clientId,
        trx.selectFrom('chat_clients').select('id').where('id', '=', clientId),
      );
      const known = await directory.guilds(trx, clientId);
      for (const guild of guilds) {
        const wanted = guild.channels.filter(({ platformId }) => only === null || only.has(platformId));
        if (wanted.length === 0) continue;
        let record = known.find(({ platformId }) => platformId === guild.platformId);
        if (!record) {
          record = await directory.addGuild(trx, clientId, withValidName(guild));
          added.guilds++;
        }
        added.channels += await addChannels(trx, directory, record.id, wanted);
      }
      return added;
    },
  };
}

/** Adds the channels that the guild does not have yet; returns how many. */
async function addChannels(
  trx: Transaction,
  directory: Directory,
  guildId: string,
  channels: readonly NewRecord[],
): Promise<number> {
  const known = new Set((await directory.channels(trx, guildId)).map(({ platformId }) => platformId));
  const missing = channels.filter(({ platformId }) => !known.has(platformId));
  for (const channel of missing) await directory.addChannel(trx, guildId, withValidName(channel));
  return missing.length;
}

/** @throws Problem 502 `platform_rejected`, `platform_incompatible` */
async function guildsOf(bot: Bot): Promise<PlatformGuild[]> {
  try {
    const guilds = await query(bot, Routes.userGuilds(), guildsResponse);
    const found: PlatformGuild[] = [];
    for (const { id, name } of guilds) {
      const channels = await query(bot, Routes.guildChannels(id), channelsResponse);
      const open = channels.filter(({ type }) => takesMessages(type));
      found.push({
        platformId: id,
        name,
        channels: open.map((channel) => ({ platformId: channel.id, name: channel.name ?? '' })),
      });
    }
    return found;
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    const isIncompatible = error.failure.kind === 'incompatible';
    throw new Problem(isIncompatible ? 'platform_incompatible' : 'platform_rejected', error.message);
  }
}

/** Adapts a name to the rules of this server, which are stricter than those of the platform. */
function withValidName({ name, platformId }: NewRecord): NewRecord {
  const valid = name
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, MAX_NAME_LENGTH)
    .trim();
  return { platformId, name: valid || platformId };
}
