import { expect, test } from 'bun:test';
import { type Kysely, sql } from 'kysely';
import { freshPostgres } from '../../../../test/harness/backends.ts';
import { until } from '../../../../test/harness/until.ts';
import { Unavailable } from '../../errors/unavailable.ts';
import { createCallers } from '../../limits/callers.ts';
import type { Transaction } from '../database.ts';
import { openPostgres } from './postgres.ts';
import { createRowLocks } from './row-locks.ts';

const LIMITS = { connectMs: 30_000, statementMs: 60_000, idleMs: 60_000, transactionMs: 60_000 };

interface Things {
  things: { id: string; count: number };
}
const of = (trx: unknown) => trx as Kysely<Things>;

test('transactions that wait for the lock of a row leave connections to those of other rows', async () => {
  const callers = createCallers();
  const database = openPostgres(await freshPostgres(), { limits: LIMITS, caller: callers.current });
  await database.schema.schema
    .createTable('things')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('count', 'integer')
    .execute();
  await database.transaction((trx) =>
    of(trx)
      .insertInto('things')
      .values(['a', 'b'].map((id) => ({ id, count: 0 })))
      .execute(),
  );
  const lock = (trx: Transaction, id: string) =>
    database.lock(trx, id, of(trx).selectFrom('things').select('id').where('id', '=', id));
  const add = async (trx: Transaction, id: string) => {
    await lock(trx, id);
    const { count } = await of(trx)
      .selectFrom('things')
      .select('count')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await of(trx)
      .updateTable('things')
      .set({ count: count + 1 })
      .where('id', '=', id)
      .execute();
  };
  const waitingForLocks = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(database.read);
    return rows[0]?.count ?? 0;
  };

  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
  const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>();
  const holder = database.transaction(async (trx) => {
    await lock(trx, 'a');
    locked();
    await mayEnd;
  });
  await isLocked;
  const waiting = ['one', 'two', 'three'].flatMap((address) =>
    Array.from({ length: 10 }, () =>
      callers.run({ address }, () => database.transaction((trx) => add(trx, 'a'))),
    ),
  );
  await until(async () => (await waitingForLocks()) === 1);
  for (let times = 0; times < 5; times++) await database.transaction((trx) => add(trx, 'b'));
  expect(await waitingForLocks()).toBe(1);
  end();
  await Promise.all([holder, ...waiting]);
  const things = await of(database.read).selectFrom('things').selectAll().orderBy('id').execute();
  expect(things).toEqual([
    { id: 'a', count: 30 },
    { id: 'b', count: 5 },
  ]);
  await database.close();
});

test('a transaction whose turn does not come in time fails like one without a database', async () => {
  const locks = createRowLocks({ waitMs: 1, caller: () => 'ada' });
  const never = Promise.withResolvers<void>();
  const row = {
    forNoKeyUpdate: () => ({
      skipLocked: () => ({ executeTakeFirst: async () => undefined }),
      execute: () => never.promise,
    }),
  };
  const transact = () =>
    locks.run(async (begun) => {
      const trx = {} as Transaction;
      begun(trx);
      await locks.lock(trx, 'a', row);
    });
  const first = transact();
  await expect(transact()).rejects.toBeInstanceOf(Unavailable);
  never.resolve();
  await first;
});
