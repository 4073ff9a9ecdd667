import type { Clock } from '../kernel/clock.ts';
import { hashToken, type Vault } from '../kernel/crypto/vault.ts';
import type { Reader, Transaction } from '../kernel/database/database.ts';
import { invalidField, Problem } from '../kernel/http/problem.ts';
import { isId, newId, newToken } from '../kernel/ids.ts';
import { foldName, nameFault, platformIdFault } from './names.ts';
import { type ChannelRecord, type ClientRecord, channelRecord, clientRecord, type GuildRecord, guildRecord } from './records.ts';
import type { Platform } from './tables.ts';

export const BOT_TOKEN_PURPOSE = 'chat bot token';

export interface NewClient {
  name: string;
  platform: Platform;
  /** Null = sandbox. */
  token: string | null;
  /** Makes an `X-Relay-Key` that callers must show. */
  relayKey: boolean;
}

/** Undefined = stays as it is. */
export interface ClientChange {
  name?: string;
  platform?: Platform;
  token?: string | null;
  /** True = a new one, null = none. */
  relayKey?: true | null;
  enabled?: boolean;
}

export interface NewPlace {
  platformId: string;
  name: string;
}

export interface PlaceChange {
  name?: string;
  enabled?: boolean;
}

/** Clients, guilds and channels as operators keep them. Call `targets.forget` after a change is committed. */
export interface Directory {
  clients(reader: Reader): Promise<ClientRecord[]>;
  /** @param clientId null = of every client */
  guilds(reader: Reader, clientId: string | null): Promise<GuildRecord[]>;
  channels(reader: Reader, guildId: string | null): Promise<ChannelRecord[]>;
  /** @returns the record, and the relay key where one was made (told this once) @throws Problem 400, 409 `name_taken` */
  addClient(trx: Transaction, client: NewClient): Promise<{ client: ClientRecord; relayKey: string | null }>;
  /** @throws Problem 400, 404 `unknown_client`, 409 `name_taken` when the client has the guild already */
  addGuild(trx: Transaction, clientId: string, guild: NewPlace): Promise<GuildRecord>;
  /** @throws Problem 400, 404 `unknown_guild`, 409 `name_taken` when the guild has the channel already */
  addChannel(trx: Transaction, guildId: string, channel: NewPlace): Promise<ChannelRecord>;
  changeClient(trx: Transaction, id: string, change: ClientChange): Promise<{ client: ClientRecord; relayKey: string | null }>;
  changeGuild(trx: Transaction, id: string, change: PlaceChange): Promise<GuildRecord>;
  changeChannel(trx: Transaction, id: string, change: PlaceChange): Promise<ChannelRecord>;
  /** Deletes with all below it. @throws Problem 404 */
  removeClient(trx: Transaction, id: string): Promise<void>;
  removeGuild(trx: Transaction, id: string): Promise<void>;
  removeChannel(trx: Transaction, id: string): Promise<void>;
  /** The id behind a name or GUID. @throws Problem 404 `unknown_client` */
  clientId(reader: Reader, reference: string): Promise<string>;
  /** The id behind a snowflake, GUID or name. @param clientId null = of any client @throws Problem 404 `unknown_guild`, 400 when several fit */
  guildId(reader: Reader, reference: string, clientId: string | null): Promise<string>;
}

const SAME_PLACE = 'This platform id is there already.';

export function createDirectory({ vault, clock }: { vault: Vault; clock: Clock }): Directory {
  const directory: Directory = {
    async clients(reader) {
      return (await reader.selectFrom('chat_clients').selectAll().orderBy('name_key').execute()).map(clientRecord);
    },
    async guilds(reader, clientId) {
      let query = reader.selectFrom('chat_guilds').selectAll().orderBy('date_created').orderBy('id');
      if (clientId !== null) query = query.where('client_id', '=', clientId);
      return (await query.execute()).map(guildRecord);
    },
    async channels(reader, guildId) {
      let query = reader.selectFrom('chat_channels').selectAll().orderBy('date_created').orderBy('id');
      if (guildId !== null) query = query.where('guild_id', '=', guildId);
      return (await query.execute()).map(channelRecord);
    },

    async addClient(trx, { name, platform, token, relayKey }) {
      checkName(name);
      await checkClientName(trx, name, null);
      const key = relayKey ? newToken() : null;
      const row = await trx
        .insertInto('chat_clients')
        .values({
          id: newId(),
          name,
          name_key: foldName(name),
          platform,
          bot_token: sealedToken(token),
          relay_key_hash: key === null ? null : hashToken(key),
          enabled: 1,
          date_created: clock.now(),
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return { client: clientRecord(row), relayKey: key };
    },

    async addGuild(trx, clientId, { platformId, name }) {
      checkPlace(platformId, name);
      const client = await trx.selectFrom('chat_clients').select('id').where('id', '=', clientId).executeTakeFirst();
      if (!client) throw unknownClient();
      const row = await trx
        .insertInto('chat_guilds')
        .values({ id: newId(), client_id: clientId, platform_id: platformId, name, enabled: 1, date_created: clock.now() })
        .onConflict((conflict) => conflict.columns(['client_id', 'platform_id']).doNothing())
        .returningAll()
        .executeTakeFirst();
      if (!row) throw new Problem('name_taken', SAME_PLACE);
      return guildRecord(row);
    },

    async addChannel(trx, guildId, { platformId, name }) {
      checkPlace(platformId, name);
      const guild = await trx.selectFrom('chat_guilds').select('id').where('id', '=', guildId).executeTakeFirst();
      if (!guild) throw unknownGuild();
      const row = await trx
        .insertInto('chat_channels')
        .values({ id: newId(), guild_id: guildId, platform_id: platformId, name, enabled: 1, date_created: clock.now() })
        .onConflict((conflict) => conflict.columns(['guild_id', 'platform_id']).doNothing())
        .returningAll()
        .executeTakeFirst();
      if (!row) throw new Problem('name_taken', SAME_PLACE);
      return channelRecord(row);
    },

    async changeClient(trx, id, { name, platform, token, relayKey, enabled }) {
      if (name !== undefined) {
        checkName(name);
        await checkClientName(trx, name, id);
      }
      const key = relayKey === true ? newToken() : null;
      const row = await trx
        .updateTable('chat_clients')
        .set({
          ...(name === undefined ? {} : { name, name_key: foldName(name) }),
          ...(platform === undefined ? {} : { platform }),
          ...(token === undefined ? {} : { bot_token: sealedToken(token) }),
          ...(relayKey === undefined ? {} : { relay_key_hash: key === null ? null : hashToken(key) }),
          ...enabledChange(enabled),
          id,
        })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      if (!row) throw unknownClient();
      return { client: clientRecord(row), relayKey: key };
    },

    async changeGuild(trx, id, { name, enabled }) {
      if (name !== undefined) checkName(name);
      const row = await trx
        .updateTable('chat_guilds')
        .set({ ...(name === undefined ? {} : { name }), ...enabledChange(enabled), id })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      if (!row) throw unknownGuild();
      return guildRecord(row);
    },

    async changeChannel(trx, id, { name, enabled }) {
      if (name !== undefined) checkName(name);
      const row = await trx
        .updateTable('chat_channels')
        .set({ ...(name === undefined ? {} : { name }), ...enabledChange(enabled), id })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      if (!row) throw unknownChannel();
      return channelRecord(row);
    },

    async removeClient(trx, id) {
      const { numDeletedRows } = await trx.deleteFrom('chat_clients').where('id', '=', id).executeTakeFirstOrThrow();
      if (Number(numDeletedRows) === 0) throw unknownClient();
    },
    async removeGuild(trx, id) {
      const { numDeletedRows } = await trx.deleteFrom('chat_guilds').where('id', '=', id).executeTakeFirstOrThrow();
      if (Number(numDeletedRows) === 0) throw unknownGuild();
    },
    async removeChannel(trx, id) {
      const { numDeletedRows } = await trx.deleteFrom('chat_channels').where('id', '=', id).executeTakeFirstOrThrow();
      if (Number(numDeletedRows) === 0) throw unknownChannel();
    },

    async clientId(reader, reference) {
      const row = await reader
        .selectFrom('chat_clients')
        .select('id')
        .where((where) => where.or([where('id', '=', reference.toLowerCase()), where('name_key', '=', foldName(reference))]))
        .executeTakeFirst();
      if (!row) throw unknownClient();
      return row.id;
    },
    async guildId(reader, reference, clientId) {
      const column = isId(reference.toLowerCase()) ? 'id' : platformIdFault(reference) === null ? 'platform_id' : 'name';
      let query = reader
        .selectFrom('chat_guilds')
        .select('id')
        .where(column, '=', column === 'id' ? reference.toLowerCase() : reference)
        .limit(2);
      if (clientId !== null) query = query.where('client_id', '=', clientId);
      const [row, another] = await query.execute();
      if (!row) throw unknownGuild();
      if (another) throw invalidField('guild', 'fits several guilds; name it by its GUID');
      return row.id;
    },
  };
  return directory;

  function sealedToken(token: string | null): string | null {
    if (token === null) return null;
    // The token stands in a header: a line break in it would begin another.
    if (!/^[\x21-\x7e]{1,200}$/.test(token)) throw invalidField('token', 'must be the bot’s token: letters, digits and dots');
    return vault.seal(BOT_TOKEN_PURPOSE, token);
  }
}

export function unknownClient(): Problem {
  return new Problem('unknown_client', 'There is no chat client of this name or id.');
}

export function unknownGuild(): Problem {
  return new Problem('unknown_guild', 'The client has no guild of this id.');
}

export function unknownChannel(): Problem {
  return new Problem('unknown_channel', 'The guild has no channel of this id.');
}

function checkName(name: string): void {
  const fault = nameFault(name);
  if (fault) throw invalidField('name', fault);
}

function checkPlace(platformId: string, name: string): void {
  const fault = platformIdFault(platformId);
  if (fault) throw invalidField('platformId', fault);
  checkName(name);
}

async function checkClientName(trx: Transaction, name: string, except: string | null): Promise<void> {
  const other = await trx.selectFrom('chat_clients').select('id').where('name_key', '=', foldName(name)).executeTakeFirst();
  if (other && other.id !== except) throw new Problem('name_taken', `There is a chat client named “${name}”.`);
}

function enabledChange(enabled: boolean | undefined): { enabled?: number } {
  return enabled === undefined ? {} : { enabled: enabled ? 1 : 0 };
}
