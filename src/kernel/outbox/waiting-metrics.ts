import { sql } from 'kysely';
import type { Database, Reader } from '../database/database.ts';
import { readerFor } from '../database/reader-for.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { DEADLINE_MS, QUEUED } from './rows.ts';

/** An expression, because SQLite would group by the column along an index that has the finished messages too. */
const KIND = sql<string>`kind || ''`;

/** Adds gauges of the number and the age of queued messages. A scheduled message has no age before it is due. */
export function addWaitingMetrics(metrics: Metrics, database: Database): void {
  const all = (reader: Reader) => reader.selectFrom('outbox').where('status', '=', QUEUED);
  const queued = async () =>
    all(await readerFor(database, 'metrics', (reader) => all(reader).select('message_id')));
  metrics.gauge('posthouse_outbox_waiting', 'Queued messages', ['kind'], async (gauge) => {
    const rows = await (await queued())
      .select((of) => [KIND.as('kind'), of.fn.countAll<number>().as('count')])
      .groupBy(KIND)
      .execute();
    gauge.reset();
    for (const { kind, count } of rows) gauge.set({ kind }, count);
  });
  const help = 'Age of the oldest queued message';
  metrics.gauge('posthouse_outbox_oldest_waiting_seconds', help, ['kind'], async (gauge) => {
    const age = sql<number>`${database.now} - (min(deadline_at) - ${sql.lit(DEADLINE_MS)})`;
    const rows = await (await queued())
      .select([KIND.as('kind'), age.as('age')])
      .groupBy(KIND)
      .execute();
    gauge.reset();
    for (const { kind, age: ms } of rows) gauge.set({ kind }, Math.max(0, ms) / 1000);
  });
}
