import { type RESTGetAPICurrentUserGuildsResult, Routes } from 'discord-api-types/v10';
import type { Vault } from '../kernel/crypto/vault.ts';
import type { Database, Transaction } from '../kernel/database/database.ts';
import { invalidField, Problem } from '../kernel/http/problem.ts';
import { BOT_TOKEN_PURPOSE, type Directory, unknownClient } from './directory.ts';
import { takesMessages } from './permissions.ts';
import { type Platform, PlatformError, patiently } from './platform.ts';

/** A guild that the bot is in, with the channels that take messages. */
export interface Place {
  platformId: string;
  name: string;
  channels: { platformId: string; name: string }[];
}

/** Guilds and channels as the platform shows them to a client's bot. */
export interface Places {
  /** @throws Problem 404 `unknown_client`, 400 when the client has no token, 502 `platform_rejected` */
  list(clientId: string): Promise<Place[]>;
  /**
   * Makes records of `places` that the client does not have yet; gives how many.
   * @param only platform ids of the channels wanted; null = all
   */
  adopt(
    trx: Transaction,
    clientId: string,
    places: readonly Place[],
    only: ReadonlySet<string> | null,
  ): Promise<{ guilds: number; channels: number }>;
}

const LONGEST_NAME = 100;

export function createPlaces({
  database,
  directory,
  platform,
  vault,
}: {
  database: Database;
  directory: Directory;
  platform: Platform;
  vault: Vault;
}): Places {
  return {
    async list(clientId) {
      const client = await database.read.selectFrom('chat_clients').select('bot_token').where('id', '=', clientId).executeTakeFirst();
      if (!client) throw unknownClient();
      if (client.bot_token === null) throw invalidField('token', 'is needed to ask the platform');
      const bot = patiently(platform(vault.open(BOT_TOKEN_PURPOSE, client.bot_token)));
      try {
        const guilds = (await bot.call('GET', Routes.userGuilds() as `/${string}`)) as RESTGetAPICurrentUserGuildsResult;
        const places: Place[] = [];
        for (const { id, name } of guilds) {
          const channels = (await bot.call('GET', Routes.guildChannels(id) as `/${string}`)) as {
            id: string;
            name: string;
            type: number;
          }[];
          const open = channels.filter(({ type }) => takesMessages(type));
          places.push({ platformId: id, name, channels: open.map((channel) => ({ platformId: channel.id, name: channel.name })) });
        }
        return places;
      } catch (error) {
        if (error instanceof PlatformError) throw new Problem('platform_rejected', error.message);
        throw error;
      }
    },

    async adopt(trx, clientId, places, only) {
      const added = { guilds: 0, channels: 0 };
      const guilds = await directory.guilds(trx, clientId);
      for (const place of places) {
        const wanted = place.channels.filter(({ platformId }) => only === null || only.has(platformId));
        if (wanted.length === 0) continue;
        let guild = guilds.find(({ platformId }) => platformId === place.platformId);
        if (!guild) {
          guild = await directory.addGuild(trx, clientId, { platformId: place.platformId, name: fitName(place) });
          added.guilds++;
        }
        const known = new Set((await directory.channels(trx, guild.id)).map(({ platformId }) => platformId));
        for (const channel of wanted) {
          if (known.has(channel.platformId)) continue;
          await directory.addChannel(trx, guild.id, { platformId: channel.platformId, name: fitName(channel) });
          added.channels++;
        }
      }
      return added;
    },
  };
}

/** The platform allows names that our own rules do not. */
function fitName({ name, platformId }: { name: string; platformId: string }): string {
  return (
    name
      .replace(/\p{Cc}/gu, ' ')
      .trim()
      .slice(0, LONGEST_NAME)
      .trim() || platformId
  );
}
