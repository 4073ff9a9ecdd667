import { sql } from 'kysely';
import { type Clock, SECOND } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { createLeases } from '../leases.ts';
import type { Metrics } from '../metrics.ts';

/** The tasks of all nodes, in the database: due times, leases and results. */
export interface Rota {
  /** Adds a task, which is first due after its interval. */
  add(name: string, everyMs: number): void;
  /** Leases the due tasks to this node, and returns their names. */
  take(): Promise<string[]>;
  /** Keeps the lease of a task during `work`, which reports whether it succeeded, and stores the result. */
  run(name: string, work: () => Promise<boolean>): Promise<void>;
}

interface RotaDeps {
  database: Database;
  clock: Clock;
  /** Id of this node. */
  node: string;
}

export function createRota({ database, clock, node }: RotaDeps): Rota {
  const leases = createLeases(
    { table: 'upkeep', until: 'lease_until', owner: 'lease_owner' },
    { database, clock },
  );
  const intervals = new Map<string, number>();
  const added = new Set<string>();
  const after = (ms: number) => sql<number>`${database.now} + ${sql.lit(ms)}`;

  /** Inserts the rows of new tasks. An interval that was longer in an earlier version is cut. */
  async function addRows(): Promise<void> {
    for (const [id, ms] of intervals) {
      if (added.has(id)) continue;
      await database.transaction(async (trx) => {
        await trx
          .insertInto('upkeep')
          .values({ id, due_at: after(ms) })
          .onConflict((conflict) =>
            conflict
              .column('id')
              .doUpdateSet({ due_at: after(ms) })
              .where('upkeep.due_at', '>', after(ms)),
          )
          .execute();
      });
      added.add(id);
    }
  }

  return {
    add: (name, everyMs) => void intervals.set(name, everyMs),

    async take() {
      await addRows();
      const due = await database.read
        .selectFrom('upkeep')
        .select('id')
        .where('id', 'in', [...intervals.keys(), ''])
        .where('due_at', '<=', database.now)
        .where(leases.isFree())
        .execute();
      if (due.length === 0) return [];
      const taken = await database.transaction((trx) =>
        trx
          .updateTable('upkeep')
          .set({ lease_owner: node, lease_until: leases.end(), date_started: database.now })
          .where(
            'id',
            'in',
            due.map(({ id }) => id),
          )
          .where('due_at', '<=', database.now)
          .where(leases.isFree())
          .returning('id')
          .execute(),
      );
      return taken.map(({ id }) => id);
    },

    async run(name, work) {
      const keeper = leases.keep({ ids: () => [name], owner: node });
      const succeeded = await work().finally(keeper.stop);
      await database.transaction((trx) =>
        trx
          .updateTable('upkeep')
          .set((set) => ({
            due_at: after(intervals.get(name) ?? 0),
            lease_owner: null,
            lease_until: null,
            date_finished: database.now,
            ...(succeeded ? { date_succeeded: database.now } : { failures: set('failures', '+', 1) }),
          }))
          .where('id', '=', name)
          .where('lease_owner', '=', node)
          .execute(),
      );
    },
  };
}

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
