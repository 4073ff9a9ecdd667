import { SECOND } from '../clock.ts';
import type { Database } from '../database/database.ts';
import type { Metrics } from '../metrics/metrics.ts';

/** Adds gauges of the last runs and the failures of the tasks, of all nodes together. */
export function addRotaMetrics(database: Pick<Database, 'read'>, metrics: Metrics): void {
  const rows = () =>
    database.read
      .selectFrom('upkeep')
      .select(['id', 'date_finished', 'date_succeeded', 'failures'])
      .execute();
  const add = (name: string, help: string, read: (row: Awaited<ReturnType<typeof rows>>[number]) => number) =>
    metrics.gauge(`posthouse_upkeep_${name}`, help, ['task'], async (gauge) => {
      gauge.reset();
      for (const row of await rows()) gauge.set({ task: row.id }, read(row));
    });
  add(
    'last_run_timestamp_seconds',
    'End of the last run of a periodic task on any node',
    (row) => (row.date_finished ?? 0) / SECOND,
  );
  add(
    'last_success_timestamp_seconds',
    'End of the last run of a periodic task without an error',
    (row) => (row.date_succeeded ?? 0) / SECOND,
  );
  add('failures', 'Failed runs of a periodic task on all nodes', (row) => row.failures);
}
