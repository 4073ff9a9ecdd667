import { sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { after } from '../database/now.ts';
import { createLeases, LEASE_MS } from '../leases/leases.ts';

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
  node: string;
}

export function createRota({ database, clock, node }: RotaDeps): Rota {
  const leases = createLeases(
    { table: 'upkeep', until: 'lease_until', owner: 'lease_owner' },
    { database, clock },
  );
  const intervals = new Map<string, number>();

  /** Inserts the rows of new tasks, and brings others forward. */
  async function setDue(tasks: readonly (readonly [id: string, ms: number])[]): Promise<void> {
    await database.transaction((trx) =>
      trx
        .insertInto('upkeep')
        .values(tasks.map(([id, ms]) => ({ id, due_at: after(database, ms) })))
        .onConflict((conflict) =>
          conflict
            .column('id')
            .doUpdateSet((set) => ({ due_at: set.ref('excluded.due_at') }))
            .whereRef('upkeep.due_at', '>', 'excluded.due_at'),
        )
        .execute(),
    );
  }

  return {
    add: (name, everyMs) => void intervals.set(name, everyMs),

    async take() {
      const rows = await database.read
        .selectFrom('upkeep')
        .select([
          'id',
          sql<number>`due_at - ${database.now}`.as('left'),
          sql<number | null>`lease_until - ${database.now}`.as('leased_for'),
          leases.isFree().as('is_free'),
        ])
        .where('id', 'in', [...intervals.keys(), ''])
        .execute();
      const left = new Map(rows.map((row) => [row.id, row.left]));
      // A task is late when its interval was longer in an earlier version, or when the clock has been set back.
      const late = [...intervals].filter(([id, ms]) => (left.get(id) ?? Number.POSITIVE_INFINITY) > ms);
      if (late.length > 0) await setDue(late);
      if (rows.some((row) => (row.leased_for ?? 0) > LEASE_MS)) await leases.shorten();
      const due = rows.filter((row) => row.left <= 0 && row.is_free);
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
            due_at: after(database, intervals.get(name) ?? 0),
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
