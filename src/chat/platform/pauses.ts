import { type SqlBool, sql } from 'kysely';
import { HOUR, MINUTE } from '../../kernel/clock.ts';
import type { Database, Transaction } from '../../kernel/database/database.ts';
import { after, readNow } from '../../kernel/database/now.ts';
import type { Outbox } from '../../kernel/outbox/outbox.ts';
import { changeTargets } from '../directory/target-revision.ts';

/** A client or channel that can be paused. */
export interface Pausable {
  of: 'client' | 'channel';
  id: string;
}

/** A client, guild or channel. */
interface TargetRecord {
  of: 'client' | 'guild' | 'channel';
  id: string;
}

/**
 * Pauses of clients and channels that the platform refused, and its rate limits. The database holds them for all nodes.
 */
export interface Pauses {
  /** Has no effect on a target that is already paused. @param reason the platform's message */
  pause(pausable: Pausable, reason: string): Promise<void>;
  /** Records that the platform accepts nothing for `waitMs`. */
  limit(pausable: Pausable, waitMs: number): Promise<void>;
  /** Lifts a pause and makes its messages due. Call `outbox.wake` after the commit. */
  lift(trx: Transaction, pausable: Pausable): Promise<void>;
  /** Makes the waiting messages of a target due. Call `outbox.wake` after the commit. */
  expedite(trx: Transaction, record: TargetRecord): Promise<void>;
  /** Returns the targets that are due for a probe and schedules the next ones, so that only one node probes each. */
  dueForProbe(): Promise<Pausable[]>;
}

/** Returns the lane in the outbox that keeps the order of a channel. */
export function laneOf(channelId: string): string {
  return `chat:${channelId}`;
}

const FIRST_PROBE = MINUTE;
/** Maximum number of clients, and of channels, that are probed at once. */
const MAX_PROBES = 20;

interface PausesDeps {
  database: Database;
  outbox: Outbox;
}

export function createPauses({ database, outbox }: PausesDeps): Pauses {
  return {
    async pause(pausable, reason) {
      await database.transaction(async (trx) => {
        await trx
          .updateTable(tableOf(pausable))
          .set({ paused_at: database.now, pause_reason: reason, probe_at: after(database, FIRST_PROBE) })
          .where('id', '=', pausable.id)
          .where('paused_at', 'is', null)
          .execute();
        await changeTargets(trx);
      });
    },

    async limit(pausable, waitMs) {
      await database.transaction(async (trx) => {
        await trx
          .updateTable(tableOf(pausable))
          .set({ limited_until: after(database, Math.ceil(waitMs)) })
          .where('id', '=', pausable.id)
          .execute();
        await changeTargets(trx);
      });
    },

    async lift(trx, pausable) {
      await trx
        .updateTable(tableOf(pausable))
        .set({ paused_at: null, pause_reason: null, probe_at: null })
        .where('id', '=', pausable.id)
        .execute();
      await changeTargets(trx);
      await outbox.expedite(trx, await lanesOf(trx, pausable));
    },

    expedite: async (trx, record) => await outbox.expedite(trx, await lanesOf(trx, record)),

    dueForProbe: () =>
      database.transaction(async (trx) => {
        const now = await readNow(database, trx);
        return [...(await takeProbes(trx, 'client', now)), ...(await takeProbes(trx, 'channel', now))];
      }),
  };
}

/** Returns the table of a pausable. Both have the columns of a pause; the type names only one of them. */
function tableOf({ of }: Pick<Pausable, 'of'>): 'chat_clients' {
  return (of === 'client' ? 'chat_clients' : 'chat_channels') as 'chat_clients';
}

const COLUMNS = {
  client: 'chat_guilds.client_id',
  guild: 'chat_guilds.id',
  channel: 'chat_channels.id',
} as const;

async function lanesOf(trx: Transaction, { of, id }: TargetRecord): Promise<string[]> {
  const channels = await trx
    .selectFrom('chat_channels')
    .innerJoin('chat_guilds', 'chat_guilds.id', 'chat_channels.guild_id')
    .select('chat_channels.id')
    .where(COLUMNS[of], '=', id)
    .execute();
  return channels.map((channel) => laneOf(channel.id));
}

async function takeProbes(trx: Transaction, of: Pausable['of'], now: number): Promise<Pausable[]> {
  const table = tableOf({ of });
  // A probe further ahead than any wait was scheduled before the clock was set back.
  const isDue = sql<SqlBool>`(probe_at <= ${now}
    or probe_at > ${now + FIRST_PROBE} and (probe_at > ${now + HOUR} or probe_at > ${2 * now} - paused_at))`;
  const rows = await trx
    .selectFrom(table)
    .select(['id', 'paused_at'])
    .where(isDue)
    .orderBy('probe_at')
    .limit(MAX_PROBES)
    .execute();
  const taken: Pausable[] = [];
  for (const { id, paused_at } of rows) {
    // The wait is as long as the pause so far: the longer a target is broken, the rarer the probes.
    const wait = Math.min(HOUR, Math.max(FIRST_PROBE, now - (paused_at ?? now)));
    const row = await trx
      .updateTable(table)
      .set({ probe_at: now + wait })
      .where('id', '=', id)
      .where(isDue)
      .returning('id')
      .executeTakeFirst();
    if (row) taken.push({ of, id });
  }
  return taken;
}
