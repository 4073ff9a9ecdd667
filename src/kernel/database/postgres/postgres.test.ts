import { afterAll, afterEach, beforeAll, describe, expect, spyOn, test } from 'bun:test';
import { Socket } from 'node:net';
import { type Kysely, sql } from 'kysely';
import { freshPostgres } from '../../../../test/harness/backends.ts';
import { type FaultProxy, openFaultProxy } from '../../../../test/harness/fault-proxy.ts';
import { until } from '../../../../test/harness/until.ts';
import { createCallers } from '../../limits/callers.ts';
import type { Database, Reader } from '../database.ts';
import { openClient } from './client.ts';
import { openPostgres } from './postgres.ts';

/** Short, so that the tests need not wait. */
const LIMITS = { connectMs: 1_500, statementMs: 600, idleMs: 900, transactionMs: 2_000 };

interface Things {
  things: { id: string };
}
const of = (part: unknown) => part as Kysely<Things>;

describe('PostgreSQL behind a network that fails', () => {
  let url: string;
  let proxy: FaultProxy;
  let direct: Database;
  let database: Database;
  const callers = createCallers();

  beforeAll(async () => {
    url = await freshPostgres();
    proxy = await openFaultProxy(Number(new URL(url).port));
    direct = openPostgres(url);
    database = openPostgres(Object.assign(new URL(url), { port: String(proxy.port) }).href, {
      connections: 4,
      limits: LIMITS,
      caller: callers.current,
    });
    await direct.schema.schema
      .createTable('things')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .execute();
  });
  afterEach(() => proxy.heal());
  afterAll(async () => {
    await Promise.all([database.close(), direct.close()]);
    await proxy.stop();
  });

  const ping = (reader: Reader = database.read) => sql`select 1`.execute(reader);
  const insert = (id: string) =>
    database.transaction((trx) => of(trx).insertInto('things').values({ id }).execute());
  const exists = async (id: string) =>
    (await of(direct.read).selectFrom('things').select('id').where('id', '=', id).execute()).length === 1;
  const failure = async (work: Promise<unknown>) => {
    const error: unknown = await work.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    const { name, engine, isUnknown } = (error ?? {}) as Record<string, unknown>;
    return { name, engine, isUnknown };
  };
  const UNAVAILABLE = { name: 'Unavailable', engine: 'database', isUnknown: false };

  test('a statement without a response ends in time, and connections that were open are not used again', async () => {
    const connections = async () => {
      const one = async () =>
        (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database.read)).rows;
      return (await Promise.all([one(), one(), one(), one()])).flat().map(({ pid }) => pid);
    };
    const before = new Set(await connections());
    proxy.swallow();
    expect(await failure(ping())).toEqual(UNAVAILABLE);
    await proxy.heal();
    // Three connections that lost nothing, but were opened before the failure.
    expect((await connections()).filter((pid) => before.has(pid))).toEqual([]);
    await insert('after the hole');
    expect(await exists('after the hole')).toBe(true);
  });

  test('a server that accepts connections and does not respond fails in time', async () => {
    proxy.reset();
    proxy.hang();
    expect(await failure(ping())).toEqual(UNAVAILABLE);
    expect(await failure(insert('during the hang'))).toEqual(UNAVAILABLE);
    await proxy.heal();
    await ping();
    expect(await exists('during the hang')).toBe(false);
  });

  test('a refused connection fails at once, and the next works', async () => {
    await proxy.refuse();
    expect(await failure(ping())).toEqual(UNAVAILABLE);
    await proxy.heal();
    await ping();
  });

  test('a read whose connection broke is repeated once', async () => {
    const find = database.prepare(
      (reader: Reader, { id }: { id: string }) =>
        of(reader).selectFrom('things').selectAll().where('id', '=', id),
      { isLookup: true },
    );
    for (const read of [ping, () => find(database.read, { id: 'none' })]) {
      await read();
      proxy.reset();
      await read();
    }
    await proxy.refuse();
    proxy.reset();
    expect(await failure(ping())).toEqual(UNAVAILABLE);
    await proxy.heal();
    await ping();
  });

  test('a transaction whose connection broke before the commit is repeated', async () => {
    let attempts = 0;
    await database.transaction(async (trx) => {
      await of(trx).insertInto('things').values({ id: 'repeated' }).execute();
      if (++attempts === 1) proxy.reset();
      await ping(trx);
    });
    expect(attempts).toBe(2);
    expect(await exists('repeated')).toBe(true);
  });

  test('a transaction whose connection broke just before its commit is repeated', async () => {
    let attempts = 0;
    await database.transaction(async (trx) => {
      await of(trx).insertInto('things').values({ id: 'repeated at its end' }).execute();
      if (++attempts > 1) return;
      proxy.reset();
      await until(() => proxy.connections() === 0);
    });
    expect(attempts).toBe(2);
    expect(await exists('repeated at its end')).toBe(true);
  });

  test('a transaction whose connection breaks each time fails after three attempts', async () => {
    let attempts = 0;
    const hopeless = database.transaction(async (trx) => {
      attempts++;
      proxy.reset();
      await ping(trx);
    });
    expect(await failure(hopeless)).toEqual(UNAVAILABLE);
    expect(attempts).toBe(3);
  });

  test('a transaction whose commit was sent is not repeated: its outcome is unknown', async () => {
    let attempts = 0;
    const lost = database.transaction(async (trx) => {
      attempts++;
      await of(trx)
        .insertInto('things')
        .values({ id: `commit ${attempts}` })
        .execute();
      proxy.intercept((bytes) => bytes.includes('commit'));
    });
    expect(await failure(lost)).toEqual({ ...UNAVAILABLE, isUnknown: true });
    expect(attempts).toBe(1);
    // The server ends the transaction of a silent client.
    await until(async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*) from pg_stat_activity where state like 'idle in transaction%'`.execute(direct.read);
      return rows[0]?.count === 0;
    });
    expect(await exists('commit 1')).toBe(false);
  });

  test.each([
    ['an error of its disk', '58030'],
    ['a file that it cannot open', '58P01'],
    ['a file or table that it may not use', '42501'],
  ])('a server that reports %s is unavailable, and its connection stays usable', async (_, code) => {
    const report = sql.raw(`do $$ begin raise exception using errcode = '${code}'; end $$`);
    expect(await failure(database.transaction((trx) => report.execute(trx)))).toEqual(UNAVAILABLE);
    await ping();
  });

  test('a slow statement ends in time; in a transaction, its connection stays usable', async () => {
    expect(await failure(sql`select pg_sleep(1000)`.execute(database.read))).toEqual(UNAVAILABLE);
    const sleeping = sql`
      select 1 from pg_stat_activity
      where datname = current_database() and state = 'active' and query like 'select pg_sleep%'`;
    await until(async () => (await sleeping.execute(direct.read)).rows.length === 0);
    const slow = database.transaction((trx) => sql`select pg_sleep(10)`.execute(trx));
    expect(await failure(slow)).toEqual(UNAVAILABLE);
    await ping();
  });

  test('a transaction of many slow statements ends in time, is rolled back, and leaves its connection usable', async () => {
    const pid = async (reader: Reader) =>
      (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(reader)).rows[0]?.pid;
    await ping();
    proxy.delay(LIMITS.statementMs / 2);
    let connection: number | undefined;
    let sent = 0;
    const slow = database.transaction(async (trx) => {
      connection = await pid(trx);
      await of(trx).insertInto('things').values({ id: 'slow' }).execute();
      for (; sent < 20; sent++) await ping(trx);
    });
    expect(await failure(slow)).toEqual(UNAVAILABLE);
    expect(sent).toBeLessThan(20);
    await proxy.heal();
    expect(await exists('slow')).toBe(false);
    expect(await Promise.all(Array.from({ length: 4 }, () => pid(database.read)))).toContain(connection);
  });

  test('transactions wait for a while for a connection, and leave one to other callers and one to reads', async () => {
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    const started: string[] = [];
    const hold = (address: string) =>
      callers.run({ address }, () =>
        database.transaction(async () => {
          started.push(address);
          await mayEnd;
        }),
      );
    const many = Promise.allSettled(['many', 'many', 'many'].map(hold));
    const few = hold('few');
    await until(() => started.length === 3);
    expect(started.toSorted()).toEqual(['few', 'many', 'many']);
    const write = () => database.transaction((trx) => ping(trx));
    const late = failure(write());
    for (let times = 0; times < 10; times++) await ping();
    expect(await late).toEqual(UNAVAILABLE);
    const waiting = write();
    end();
    await waiting;
    await few;
    expect((await many).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  });

  test('reads wait for a while for a connection when all are in use', async () => {
    const holding = Array.from({ length: 4 }, () => sql`select pg_sleep(0.3)`.execute(database.read));
    await ping();
    expect(await Promise.all(holding)).toHaveLength(4);
  });
});

test('TCP keepalive ends connections for statements and for signals whose peer is gone', async () => {
  const keepAlive = spyOn(Socket.prototype, 'setKeepAlive');
  const url = await freshPostgres();
  const database = openPostgres(url, { connections: 1 });
  await sql`select 1`.execute(database.read);
  expect(keepAlive.mock.calls).toEqual([[true, 10_000]]);
  const client = await openClient(url, LIMITS.connectMs);
  expect(keepAlive.mock.calls).toEqual([
    [true, 10_000],
    [true, 10_000],
  ]);
  client.connection.stream.destroy();
  await database.close();
  keepAlive.mockRestore();
});

describe('a PostgreSQL server that accepts no more connections', () => {
  test('serves all callers over the open ones', async () => {
    const url = new URL(await freshPostgres());
    const admin = openPostgres(url.href);
    const role = `few_${crypto.randomUUID().replaceAll('-', '')}`;
    await sql`create role ${sql.id(role)} login password 'few' connection limit 2`.execute(admin.schema);
    const few = openPostgres(Object.assign(url, { username: role, password: 'few' }).href, {
      connections: 10,
      limits: { ...LIMITS, connectMs: 10_000, statementMs: 10_000 },
    });
    const answers = await Promise.all(
      Array.from({ length: 60 }, () =>
        sql<{ n: number }>`select 1 as n from pg_sleep(0.005)`.execute(few.read),
      ),
    );
    expect(answers.map(({ rows }) => rows[0]?.n)).toEqual(Array(60).fill(1));
    await few.close();
    await sql`drop role ${sql.id(role)}`.execute(admin.schema);
    await admin.close();
  });
});

test('slow reads of one caller leave connections to other requests, and turns to other callers', async () => {
  const url = await freshPostgres();
  const database = openPostgres(url, { connections: 4, limits: { ...LIMITS, statementMs: 60_000 } });
  const other = openPostgres(url, { connections: 1 });
  const lock = sql`select pg_advisory_xact_lock(7)`;
  const waiting = sql<{ count: number }>`
    select count(*) from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`;
  const isBlocked = async (trx: Reader) => (await waiting.execute(trx)).rows[0]?.count === 1;
  const many = await other.transaction(async (trx) => {
    await lock.execute(trx);
    const reads = Array.from({ length: 8 }, () => lock.execute(database.slow('many')));
    const all = Promise.allSettled(reads);
    await until(() => isBlocked(trx));
    await sql`select 1`.execute(database.read);
    await sql`select 1`.execute(database.slow('few'));
    return { all };
  });
  expect(new Set((await many.all).map(({ status }) => status))).toEqual(new Set(['fulfilled']));
  await Promise.all([database.close(), other.close()]);
});

describe('prepared statements of PostgreSQL', () => {
  const isPrepared = async (reader: Reader) => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from pg_prepared_statements where statement like '%from "things"%'`.execute(
      reader,
    );
    return rows[0]?.count === 1;
  };
  const open = async (isDirect: boolean) => {
    const database = openPostgres(await freshPostgres(), { connections: 1, isDirect: () => isDirect });
    await database.schema.schema.createTable('things').addColumn('id', 'text').execute();
    await database.transaction((trx) => of(trx).insertInto('things').values({ id: 'one' }).execute());
    const find = database.prepare(
      (reader: Reader, { id }: { id: string }) =>
        of(reader).selectFrom('things').selectAll().where('id', '=', id),
      { isLookup: true },
    );
    return { database, find: (reader: Reader) => find(reader, { id: 'one' }) };
  };

  test.each([true, false])('stay on a direct connection only: %p', async (isDirect) => {
    const { database, find } = await open(isDirect);
    for (let time = 0; time < 2; time++) expect(await find(database.read)).toEqual([{ id: 'one' }]);
    expect(await isPrepared(database.read)).toBe(isDirect);
    await database.close();
  });

  test.each(['outside', 'in'])(
    'are prepared again after a change of their table, %s transactions',
    async (where) => {
      const { database, find } = await open(true);
      const run = () => (where === 'in' ? database.transaction(find) : find(database.read));
      await run();
      await database.schema.schema.alterTable('things').addColumn('colour', 'text').execute();
      expect(await run()).toEqual([{ id: 'one', colour: null } as { id: string }]);
      await database.close();
    },
  );

  test('of the same text share a name', async () => {
    const database = openPostgres(await freshPostgres(), { connections: 1, isDirect: () => true });
    const add = (term: string) => {
      const find = database.prepare(
        (_: Reader, { by }: { by: number }) =>
          sql<{ sum: number }>`select ${by}::int + ${sql.raw(term)} as sum`,
        { isLookup: true },
      );
      return async (by: number) => (await find(database.read, { by }))[0]?.sum;
    };
    const finds = ['1', '1', '2', '1', '3'].map(add);
    const sums: unknown[] = [];
    for (const find of finds) sums.push(await find(10));
    expect(sums).toEqual([11, 11, 12, 11, 13]);
    await database.close();
  });
});
