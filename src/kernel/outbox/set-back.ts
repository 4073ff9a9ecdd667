import { sql } from 'kysely';
import { SECOND } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { readNow } from '../database/now.ts';
import { QUEUED } from './rows.ts';

/** A new row that is due later after it was stored is scheduled for a time of day, which stays the same. */
const UNSCHEDULED_MS = 15 * SECOND;

/**
 * Returns a task for each node. When the database's clock was set back since the last call, it makes waiting rows due
 * earlier by the same time. On several nodes they can become due earlier than that.
 * @param elapsed returns milliseconds since any fixed time; never goes back
 */
export function createSetBack(database: Database, elapsed = () => performance.now()): () => Promise<void> {
  /** Time of the database when `elapsed` was 0. */
  let origin = Number.NEGATIVE_INFINITY;
  return async () => {
    const before = elapsed();
    const now = await readNow(database, database.read);
    const backMs = Math.floor(origin - (now - before));
    if (backMs > SECOND) await advance(database, backMs);
    origin = now - before;
  };
}

async function advance(database: Database, ms: number): Promise<void> {
  const { now } = database;
  const earlier = sql<number>`next_attempt_at - ${sql.lit(ms)}`;
  await database.transaction((trx) =>
    trx
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
      .execute(),
  );
}
