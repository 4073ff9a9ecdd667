import { sql } from 'kysely';
import type { DatabaseKind, Transaction } from '../database/database.ts';
import { listed } from '../database/listed.ts';

/** A row that failed this often lets those behind it pass. */
export const STEPS_ASIDE_AFTER = 5;

/**
 * The order within a lane: its first row is free to go, those behind are blocked until it ends or steps aside. The condition
 * `status = 'queued'` stands in the text of each query, since SQLite uses a partial index only where it can see the condition.
 */
export interface Lanes {
  /** Takes the decision about these lanes for this transaction alone; on SQLite every transaction is alone. */
  lock(trx: Transaction, lanes: readonly string[]): Promise<void>;
  /** Those of `lanes` in which a row waits behind which a new one has to queue. */
  occupied(trx: Transaction, lanes: readonly string[]): Promise<Set<string>>;
  /** Lets the first blocked row of each lane go, unless a row that has not stepped aside is still in front. */
  unblockNext(trx: Transaction, lanes: readonly string[]): Promise<void>;
  /** Makes the free rows of these lanes due at `now`. */
  hasten(trx: Transaction, lanes: readonly string[], now: number): Promise<void>;
}

export function createLanes(kind: DatabaseKind): Lanes {
  /** A table of one column, `name`, in order. */
  const table = (lanes: readonly string[]) =>
    listed(
      kind,
      'listed',
      { name: 'text' },
      [...new Set(lanes)].sort().map((name) => ({ name })),
    );

  return {
    async lock(trx, lanes) {
      if (kind !== 'postgres' || lanes.length === 0) return;
      // In one order everywhere, so that two transactions never wait for each other.
      await sql`select pg_advisory_xact_lock(hashtextextended(name, 7)) from ${table(lanes)}`.execute(trx);
    },
    async occupied(trx, lanes) {
      if (lanes.length === 0) return new Set();
      const { rows } = await sql<{ name: string }>`
        select name from ${table(lanes)}
        where exists (
          select 1 from outbox where lane = name and status = 'queued' and attempts < ${sql.lit(STEPS_ASIDE_AFTER)}
        )`.execute(trx);
      return new Set(rows.map(({ name }) => name));
    },
    async unblockNext(trx, lanes) {
      if (lanes.length === 0) return;
      await sql`
        update outbox set blocked = 0
        where id in (
          select (select id from outbox where lane = name and status = 'queued' and blocked = 1 order by id limit 1)
          from ${table(lanes)}
          where not exists (
            select 1 from outbox
            where lane = name and status = 'queued' and blocked = 0 and attempts < ${sql.lit(STEPS_ASIDE_AFTER)}
          )
        )`.execute(trx);
    },
    async hasten(trx, lanes, now) {
      if (lanes.length === 0) return;
      await sql`
        update outbox set next_attempt_at = ${now}
        where lane in (select name from ${table(lanes)})
          and status = 'queued' and blocked = 0`.execute(trx);
    },
  };
}
