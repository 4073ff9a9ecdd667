import { type Clock, HOUR, MINUTE } from '../kernel/clock.ts';
import type { Database, Transaction } from '../kernel/database/database.ts';
import type { Outbox } from '../kernel/outbox/outbox.ts';
import type { Targets } from './targets.ts';

/** What is paused, or asked for patience. */
export interface Pausable {
  of: 'client' | 'channel';
  id: string;
}

/** Pauses of clients and channels that the platform refused, and its rate limits, kept in the database for every node. */
export interface Pauses {
  pause(what: Pausable, reason: string): Promise<void>;
  /** Notes that the platform wants nothing until `until`, ms since the epoch. */
  limit(what: Pausable, until: number): Promise<void>;
  /** Lifts a pause and lets go what waited for it. Call `targets.forget` and `outbox.wake` after the commit. */
  lift(trx: Transaction, what: Pausable): Promise<void>;
  /** Lets go what waited, for whatever reason. Call the same afterwards. */
  hasten(trx: Transaction, what: { of: 'client' | 'guild' | 'channel'; id: string }): Promise<void>;
  /** Those whose turn it is to be tried again; their next turn is set, so that each is taken by one node only. */
  dueForProbe(): Promise<Pausable[]>;
}

/** The lane in the outbox that keeps the order of a channel. */
export function laneOf(channelId: string): string {
  return `chat:${channelId}`;
}

export function channelOf(lane: string): string {
  return lane.slice(laneOf('').length);
}

const FIRST_PROBE = MINUTE;
const PROBES_AT_MOST = 20;

export function createPauses({
  database,
  outbox,
  targets,
  clock,
}: {
  database: Database;
  outbox: Outbox;
  targets: Targets;
  clock: Clock;
}): Pauses {
  const tableOf = ({ of }: Pausable) => (of === 'client' ? 'chat_clients' : 'chat_channels') as 'chat_clients';
  const columnOf = { client: 'chat_guilds.client_id', guild: 'chat_guilds.id', channel: 'chat_channels.id' } as const;

  async function hasten(trx: Transaction, { of, id }: { of: keyof typeof columnOf; id: string }): Promise<void> {
    const channels = await trx
      .selectFrom('chat_channels')
      .innerJoin('chat_guilds', 'chat_guilds.id', 'chat_channels.guild_id')
      .select('chat_channels.id')
      .where(columnOf[of], '=', id)
      .execute();
    await outbox.hasten(
      trx,
      channels.map((channel) => laneOf(channel.id)),
    );
  }

  return {
    async pause(what, reason) {
      const now = clock.now();
      await database.transaction((trx) =>
        trx
          .updateTable(tableOf(what))
          .set({ paused_at: now, pause_reason: reason, probe_at: now + FIRST_PROBE })
          .where('id', '=', what.id)
          .where('paused_at', 'is', null)
          .execute(),
      );
      targets.forget();
    },

    async limit(what, until) {
      await database.transaction((trx) => trx.updateTable(tableOf(what)).set({ limited_until: until }).where('id', '=', what.id).execute());
      targets.forget();
    },

    async lift(trx, what) {
      await trx.updateTable(tableOf(what)).set({ paused_at: null, pause_reason: null, probe_at: null }).where('id', '=', what.id).execute();
      await hasten(trx, what);
    },

    hasten,

    dueForProbe() {
      const now = clock.now();
      return database.transaction(async (trx) => {
        const due: Pausable[] = [];
        for (const of of ['client', 'channel'] as const) {
          const table = tableOf({ of, id: '' });
          const rows = await trx
            .selectFrom(table)
            .select(['id', 'paused_at'])
            .where('probe_at', '<=', now)
            .orderBy('probe_at')
            .limit(PROBES_AT_MOST)
            .execute();
          for (const { id, paused_at } of rows) {
            // As long again as it is paused already, so that what stays broken is asked for ever more seldom.
            const wait = Math.min(HOUR, Math.max(FIRST_PROBE, now - (paused_at ?? now)));
            const taken = await trx
              .updateTable(table)
              .set({ probe_at: now + wait })
              .where('id', '=', id)
              .where('probe_at', '<=', now)
              .returning('id')
              .executeTakeFirst();
            if (taken) due.push({ of, id });
          }
        }
        return due;
      });
    },
  };
}
