import { sql } from 'kysely';
import { SECOND } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { readNow } from '../database/now.ts';
import { QUEUED } from './rows.ts';

/** A new row that is due later after it was stored is scheduled for a time of day, which stays the same. */
const UNSCHEDULED_MS = 15 * SECOND;

/**
 * Returns a task for each node. When the database's clock was set back since the last call, it makes waiting rows due
 * earlier by the same time. On several nodes they can become due earlier than that. The first call compares the clock
 * with the times of tasks of earlier runs of the server.
 * @param elapsed returns milliseconds since any fixed time; never goes back
 */
export function createSetBack(database: Database, elapsed = () => performance.now()): () => Promise<void> {
  /** Time of the database when `elapsed` was 0; null = before the first call. */
  let origin: number | null = null;
  return async () => {
    const before = elapsed();
    const now = await readNow(database, database.read);
    const expected = origin === null ? await lastKnown(database) : origin + before;
    const backMs = Math.floor(expected - now);
    if (backMs > SECOND) await advance(database, backMs);
    origin = now - before;
  };
}

/** Returns the latest time at which a task of a server ended. */
async function lastKnown({ read }: Database): Promise<number> {
  const row = await read
    .selectFrom('upkeep')
    .select((of) => of.fn.max('date_finished').as('at'))
    .executeTakeFirst();
  return row?.at ?? 0;
}

async function advance(database: Database, ms: number): Promise<void> {
  const { now } = database;
  const earlier = sql<number>`next_attempt_at - ${sql.lit(ms)}`;
  await database.transaction(async (trx) => {
    // Otherwise, the first call of the next run would find the same difference.
    await trx.updateTable('upkeep').set({ date_finished: now }).where('date_finished', '>', now).execute();
    await trx
      .updateTable('outbox')
      .set({ next_attempt_at: sql<number>`case when ${earlier} > ${now} then ${earlier} else ${now} end` })
      .where('status', '=', QUEUED)
      .where('next_attempt_at', '>', now)
      .where((where) =>
        where.or([
          where('error_code', 'is not', null),
          where(sql`next_attempt_at - date_created`, '<=', UNSCHEDULED_MS),
        ]),
      )
      .execute();
  });
}
