import type { Clock } from '../../kernel/clock.ts';
import type { Vault } from '../../kernel/crypto/vault.ts';
import type { Reader, Transaction } from '../../kernel/database/database.ts';
import { isId, newId } from '../../kernel/ids.ts';
import { invalidField, Problem } from '../../kernel/problem.ts';
import {
  addClient,
  type ClientChange,
  changeClient,
  type NewClient,
  type SavedClient,
} from './client-rows.ts';
import { foldName, platformIdFault, requireName, requirePlatformId } from './names.ts';
import {
  type ChannelRecord,
  type ClientRecord,
  channelRecord,
  clientRecord,
  type GuildRecord,
  guildRecord,
  unknown,
} from './records.ts';
import { changeTargets } from './target-revision.ts';

/** A guild or channel of the platform to add. */
export interface NewRecord {
  /** Snowflake. */
  platformId: string;
  name: string;
}

/** Undefined = unchanged. */
export interface RecordChange {
  name?: string;
  enabled?: boolean;
}

/** The records of clients, guilds and channels. */
export interface Directory {
  clients(reader: Reader): Promise<ClientRecord[]>;
  /** @param clientId null = of every client */
  guilds(reader: Reader, clientId: string | null): Promise<GuildRecord[]>;
  /** @param guildId null = of every guild */
  channels(reader: Reader, guildId: string | null): Promise<ChannelRecord[]>;
  /** @throws Problem 400, 409 `name_taken` */
  addClient(trx: Transaction, client: NewClient): Promise<SavedClient>;
  /** @throws Problem 400, 404 `unknown_client`, 409 `name_taken` when the client has the guild already */
  addGuild(trx: Transaction, clientId: string, guild: NewRecord): Promise<GuildRecord>;
  /** @throws Problem 400, 404 `unknown_guild`, 409 `name_taken` when the guild has the channel already */
  addChannel(trx: Transaction, guildId: string, channel: NewRecord): Promise<ChannelRecord>;
  /** @throws Problem 400, 404 `unknown_client`, 409 `name_taken` */
  changeClient(trx: Transaction, id: string, change: ClientChange): Promise<SavedClient>;
  /** @throws Problem 400, 404 `unknown_guild` */
  changeGuild(trx: Transaction, id: string, change: RecordChange): Promise<GuildRecord>;
  /** @throws Problem 400, 404 `unknown_channel` */
  changeChannel(trx: Transaction, id: string, change: RecordChange): Promise<ChannelRecord>;
  /** Deletes a client, guild or channel with all that it contains. @throws Problem 404 */
  remove(trx: Transaction, of: Kind, id: string): Promise<void>;
  /** Returns the id of the client with this name or GUID. @throws Problem 404 `unknown_client` */
  clientId(reader: Reader, reference: string): Promise<string>;
  /**
   * Returns the id of the guild with this snowflake, GUID or name.
   * @param clientId null = of any client
   * @throws Problem 404 `unknown_guild`, 400 when several match
   */
  guildId(reader: Reader, reference: string, clientId: string | null): Promise<string>;
}

const TABLES = { client: 'chat_clients', guild: 'chat_guilds', channel: 'chat_channels' } as const;
type Kind = keyof typeof TABLES;

export function createDirectory(deps: { vault: Vault; clock: Clock }): Directory {
  const { clock } = deps;
  return {
    async clients(reader) {
      const rows = await reader.selectFrom('chat_clients').selectAll().orderBy('name_key').execute();
      return rows.map((row) => clientRecord(deps.vault, row));
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
    addClient: (trx, client) => addClient(trx, deps, client),
    addGuild: (trx, clientId, guild) => addGuild(trx, clock, clientId, guild),
    addChannel: (trx, guildId, channel) => addChannel(trx, clock, guildId, channel),
    changeClient: (trx, id, change) => changeClient(trx, deps, id, change),
    changeGuild: async (trx, id, change) => guildRecord(await changeRow(trx, 'guild', id, change)),
    changeChannel: async (trx, id, change) => channelRecord(await changeRow(trx, 'channel', id, change)),
    async remove(trx, of, id) {
      const { numDeletedRows } = await trx.deleteFrom(TABLES[of]).where('id', '=', id).executeTakeFirst();
      if (numDeletedRows === 0n) throw unknown(of);
      await changeTargets(trx);
    },
    clientId: findClientId,
    guildId: findGuildId,
  };
}

async function findClientId(reader: Reader, reference: string): Promise<string> {
  const row = await reader
    .selectFrom('chat_clients')
    .select('id')
    .where((where) =>
      where.or([where('id', '=', reference.toLowerCase()), where('name_key', '=', foldName(reference))]),
    )
    .executeTakeFirstOrThrow(() => unknown('client'));
  return row.id;
}

async function findGuildId(reader: Reader, reference: string, clientId: string | null): Promise<string> {
  const id = reference.toLowerCase();
  const column = isId(id) ? 'id' : platformIdFault(reference) === null ? 'platform_id' : 'name';
  let query = reader
    .selectFrom('chat_guilds')
    .select('id')
    .where(column, '=', column === 'id' ? id : reference)
    .limit(2);
  if (clientId !== null) query = query.where('client_id', '=', clientId);
  const [row, another] = await query.execute();
  if (!row) throw unknown('guild');
  if (another) throw invalidField('guild', 'matches several guilds; use its GUID');
  return row.id;
}

async function addGuild(
  trx: Transaction,
  clock: Clock,
  clientId: string,
  guild: NewRecord,
): Promise<GuildRecord> {
  const values = { ...newRow(guild, clock), client_id: clientId };
  await requireRow(trx, 'client', clientId);
  const row = await trx
    .insertInto('chat_guilds')
    .values(values)
    .onConflict((conflict) => conflict.columns(['client_id', 'platform_id']).doNothing())
    .returningAll()
    .executeTakeFirstOrThrow(() => platformIdTaken('guild'));
  return guildRecord(row);
}

async function addChannel(
  trx: Transaction,
  clock: Clock,
  guildId: string,
  channel: NewRecord,
): Promise<ChannelRecord> {
  const values = { ...newRow(channel, clock), guild_id: guildId };
  await requireRow(trx, 'guild', guildId);
  const row = await trx
    .insertInto('chat_channels')
    .values(values)
    .onConflict((conflict) => conflict.columns(['guild_id', 'platform_id']).doNothing())
    .returningAll()
    .executeTakeFirstOrThrow(() => platformIdTaken('channel'));
  return channelRecord(row);
}

/** @throws Problem 400 */
function newRow({ platformId, name }: NewRecord, clock: Clock) {
  requirePlatformId(platformId);
  requireName(name);
  return { id: newId(), platform_id: platformId, name, enabled: 1, date_created: clock.now() };
}

/** @throws Problem 404 */
async function requireRow(trx: Transaction, of: Kind, id: string): Promise<void> {
  const row = await trx.selectFrom(TABLES[of]).select('id').where('id', '=', id).executeTakeFirst();
  if (!row) throw unknown(of);
}

async function changeRow(
  trx: Transaction,
  of: 'guild' | 'channel',
  id: string,
  { name, enabled }: RecordChange,
) {
  if (name !== undefined) requireName(name);
  const row = await trx
    .updateTable(TABLES[of])
    .set({ name, enabled: enabled === undefined ? undefined : Number(enabled), id })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow(() => unknown(of));
  await changeTargets(trx);
  return row;
}

function platformIdTaken(of: 'guild' | 'channel'): Problem {
  return new Problem('name_taken', `A ${of} with this platform id already exists.`);
}
