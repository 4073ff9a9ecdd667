import { beforeAll, describe, expect, spyOn, test } from 'bun:test';
import { renameSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { type Kysely, sql } from 'kysely';
import { DATABASES, freshLocation, openAt } from '../../../test/harness/database.ts';
import { watchStatements } from '../../../test/harness/statements.ts';
import { until } from '../../../test/harness/until.ts';
import { createLog } from '../log.ts';
import type { Database } from './database.ts';
import { openSqlite } from './sqlite/sqlite.ts';

interface Things {
  things: { id: string; size: number; bytes: Uint8Array | null };
}

/** The table of this test. */
const of = (part: unknown) => part as Kysely<Things>;

describe.each(DATABASES)('the database contract: %s', (kind) => {
  let place: string;
  let database: Database;
  let name = 0;
  const fresh = () => `thing-${name++}`;
  const ids = async (from: Pick<Database, 'read'> = database) =>
    (await of(from.read).selectFrom('things').select('id').orderBy('id').execute()).map(({ id }) => id);

  beforeAll(async () => {
    place = await freshLocation(kind);
    database = openAt(place);
    await database.schema.schema
      .createTable('things')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('size', 'bigint', (c) => c.notNull())
      .addColumn('bytes', kind === 'sqlite' ? 'blob' : 'bytea')
      .addColumn('part_of', 'text', (c) => c.references('things.id'))
      .execute();
  });

  test('the writes of a transaction are visible on all connections after it', async () => {
    const id = fresh();
    const given = await database.transaction(async (trx) => {
      await of(trx).insertInto('things').values({ id, size: 1, bytes: null }).execute();
      return 'given';
    });
    expect(given).toBe('given');
    expect(await ids()).toContain(id);
    expect(await ids(openAt(place))).toContain(id);
  });

  test('a transaction that throws leaves no writes, and the next one works', async () => {
    const [lost, kept] = [fresh(), fresh()];
    const failing = database.transaction(async (trx) => {
      await of(trx).insertInto('things').values({ id: lost, size: 1, bytes: null }).execute();
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    await database.transaction((trx) =>
      of(trx).insertInto('things').values({ id: kept, size: 1, bytes: null }).execute(),
    );
    expect(await ids()).not.toContain(lost);
    expect(await ids()).toContain(kept);
  });

  test('a violated constraint rolls back the whole transaction', async () => {
    const [lost, taken] = [fresh(), fresh()];
    await database.transaction((trx) =>
      of(trx).insertInto('things').values({ id: taken, size: 1, bytes: null }).execute(),
    );
    const failing = database.transaction(async (trx) => {
      await of(trx).insertInto('things').values({ id: lost, size: 1, bytes: null }).execute();
      await of(trx).insertInto('things').values({ id: taken, size: 2, bytes: null }).execute();
    });
    await expect(failing).rejects.toThrow();
    expect(await ids()).not.toContain(lost);
  });

  test('a reference to a missing row is refused', async () => {
    const dangling = database.transaction((trx) =>
      sql`insert into things (id, size, part_of) values (${fresh()}, 1, 'nothing')`.execute(trx),
    );
    await expect(dangling).rejects.toThrow();
  });

  test('a reader sees committed data only, and does not wait for an open transaction', async () => {
    const id = fresh();
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    const { promise: written, resolve: wrote } = Promise.withResolvers<void>();
    const writing = database.transaction(async (trx) => {
      await of(trx).insertInto('things').values({ id, size: 1, bytes: null }).execute();
      expect((await of(trx).selectFrom('things').select('id').where('id', '=', id).execute()).length).toBe(1);
      wrote();
      await mayEnd;
    });
    await written;
    expect(await ids()).not.toContain(id);
    end();
    await writing;
    expect(await ids()).toContain(id);
  });

  test('concurrent transactions lose no update, also on several connections', async () => {
    const id = fresh();
    await database.transaction((trx) =>
      of(trx).insertInto('things').values({ id, size: 0, bytes: null }).execute(),
    );
    const others = [database, openAt(place), openAt(place)];
    await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        (others[index % others.length] ?? database).transaction((trx) =>
          of(trx)
            .updateTable('things')
            .set((set) => ({ size: set('size', '+', 1) }))
            .where('id', '=', id)
            .execute(),
        ),
      ),
    );
    const { size } = await of(database.read)
      .selectFrom('things')
      .select('size')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(size).toBe(60);
  });

  test('a snapshot shows one moment, and neither waits for writers nor blocks them', async () => {
    const [before, after] = [fresh(), fresh()];
    const write = (id: string) =>
      database.transaction((trx) =>
        of(trx).insertInto('things').values({ id, size: 1, bytes: null }).execute(),
      );
    await write(before);
    const seen = await database.snapshot(async ({ tables, rows }) => {
      expect(tables).toEqual(['things']);
      await write(after);
      const found: unknown[] = [];
      for await (const { id } of rows('things')) found.push(id);
      return found;
    });
    expect(seen).toContain(before);
    expect(seen).not.toContain(after);
    expect(await ids()).toContain(after);
  });

  test('64-bit numbers, their sums and counts are numbers, exact up to 2^53', async () => {
    const sizes = [2 ** 53 - 1 - 4_000_000_000, 4_000_000_000];
    const names = sizes.map(fresh);
    await database.transaction((trx) =>
      of(trx)
        .insertInto('things')
        .values(sizes.map((size, index) => ({ id: names[index] ?? '', size, bytes: null })))
        .execute(),
    );
    const row = await of(database.read)
      .selectFrom('things')
      .select((of) => [
        of.fn.sum<number>('size').as('sum'),
        of.fn.max('size').as('most'),
        of.fn.countAll<number>().as('count'),
      ])
      .where('id', 'in', names)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ sum: 2 ** 53 - 1, most: sizes[0] ?? 0, count: 2 });
  });

  test('bytes and texts are read as they were written', async () => {
    const id = `${fresh()} 🏤 \u0000`.replace('\u0000', "'; drop table things; --");
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    await database.transaction((trx) =>
      of(trx).insertInto('things').values({ id, size: 1, bytes }).execute(),
    );
    const row = await of(database.read)
      .selectFrom('things')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(Buffer.from(row.bytes ?? []).equals(bytes)).toBe(true);
    expect(row.id).toBe(id);
  });
});

describe('SQLite', () => {
  test('leaves the sync of its log to a thread, checks references, and never waits for a lock on the main thread', async () => {
    const database = openAt(await freshLocation('sqlite'));
    const pragma = async (name: string) =>
      Object.values((await sql.raw(`pragma ${name}`).execute(database.schema)).rows[0] ?? {})[0];
    expect([
      await pragma('journal_mode'),
      await pragma('synchronous'),
      await pragma('foreign_keys'),
      await pragma('busy_timeout'),
    ]).toEqual(['wal', 1, 1, 0]);
  });

  test('is durable before the first transaction, also when it was closed before', async () => {
    const place = await freshLocation('sqlite');
    for (let run = 0; run < 2; run++) {
      const database = openSqlite(place, createLog('silent'));
      await database.durable();
      await database.close();
    }
  });

  test('ends a transaction when its log is on the disk', async () => {
    const database = openAt(await freshLocation('sqlite'));
    await database.schema.schema.createTable('things').addColumn('id', 'text').execute();
    const { promise, resolve } = Promise.withResolvers<void>();
    await using handle = await open('/dev/null');
    const datasync = spyOn(Object.getPrototypeOf(handle) as FileHandle, 'datasync').mockReturnValue(promise);
    try {
      let isDone = false;
      const write = database
        .transaction((trx) => sql`insert into things values ('a')`.execute(trx))
        .then(() => {
          isDone = true;
        });
      await until(() => datasync.mock.calls.length > 0);
      expect(await of(database.read).selectFrom('things').select('id').execute()).toHaveLength(1);
      expect(isDone).toBe(false);
      resolve();
      await write;
    } finally {
      datasync.mockRestore();
    }
  });

  test.each([
    ['was moved', ''],
    ['has lost its log', '-wal'],
  ])('acknowledges no write when its file %s, and reads', async (_, suffix) => {
    const place = await freshLocation('sqlite');
    const database = openAt(place);
    await database.schema.schema.createTable('things').addColumn('id', 'text').execute();
    const write = () => database.transaction((trx) => sql`insert into things values ('a')`.execute(trx));
    await write();
    renameSync(`${place}${suffix}`, `${place}.moved`);
    if (suffix) rmSync(`${place}.moved`);
    await expect(write()).rejects.toMatchObject({ name: 'Unavailable', isUnknown: true });
    expect(await of(database.read).selectFrom('things').select('id').execute()).toHaveLength(2);
    if (suffix) return;
    await Bun.write(place, 'another file');
    await expect(write()).rejects.toMatchObject({ name: 'Unavailable' });
    renameSync(`${place}.moved`, place);
    await write();
  });

  test('refuses writes on the reading connection', async () => {
    const database = openAt(await freshLocation('sqlite'));
    await expect(sql`create table x (y)`.execute(of(database.read))).rejects.toThrow();
  });

  test('reports the error that ended a transaction on a full disk, and works again afterwards', async () => {
    const database = openAt(await freshLocation('sqlite'));
    await database.schema.schema
      .createTable('things')
      .addColumn('id', 'text')
      .addColumn('size', 'integer')
      .addColumn('bytes', 'blob')
      .execute();
    const limitPages = (pages: number) =>
      sql.raw(`pragma max_page_count = ${pages}`).execute(database.schema);
    const insert = (size: number) =>
      database.transaction((trx) =>
        of(trx)
          .insertInto('things')
          .values({ id: 'a', size, bytes: new Uint8Array(size) })
          .execute(),
      );
    await limitPages(8);
    const outcomes = await Promise.allSettled([insert(100_000), insert(1)]);
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code)).toEqual([
      'SQLITE_FULL',
      false,
    ]);
    await limitPages(1_000);
    await insert(100_000);
  });

  test('creates its file readable for its user only', async () => {
    const place = await freshLocation('sqlite');
    openAt(place);
    const { mode } = await Bun.file(place).stat();
    expect(mode & 0o077).toBe(0);
  });
});

describe('PostgreSQL', () => {
  test('a snapshot reads rows with bytes one at a time, and others in groups', async () => {
    const fetched: string[] = [];
    watchStatements(({ text }) => fetched.push(...(/^fetch \d+/.exec(text.trim()) ?? [])));
    const database = openAt(await freshLocation('postgres'));
    await sql`create table mails as select 'mail'::bytea as mime from generate_series(1, 3)`.execute(
      database.schema,
    );
    await sql`create table numbers as select * from generate_series(1, 3)`.execute(database.schema);
    await database.snapshot(async ({ tables, rows }) => {
      for (const table of tables) for await (const _ of rows(table));
    });
    expect(fetched).toEqual([...Array(4).fill('fetch 1'), 'fetch 20']);
  });

  test('a transaction that was aborted by a deadlock is repeated', async () => {
    const database = openAt(await freshLocation('postgres'));
    await sql`create table pairs (id integer primary key, n integer not null)`.execute(database.schema);
    await sql`insert into pairs values (1, 0), (2, 0)`.execute(database.schema);
    let waiting = 0;
    let runs = 0;
    const { promise: bothHoldOne, resolve } = Promise.withResolvers<void>();
    const cross = (first: number, second: number) =>
      database.transaction(async (trx) => {
        runs++;
        await sql`update pairs set n = n + 1 where id = ${first}`.execute(trx);
        if (++waiting === 2) resolve();
        await bothHoldOne;
        await sql`update pairs set n = n + 1 where id = ${second}`.execute(trx);
      });
    await Promise.all([cross(1, 2), cross(2, 1)]);
    expect((await sql<{ n: number }>`select n from pairs order by id`.execute(database.schema)).rows).toEqual(
      [{ n: 2 }, { n: 2 }],
    );
    // A repeated transaction can meet the other one again.
    expect(runs).toBeGreaterThanOrEqual(3);
  });

  test.each([
    ['a unique key', 'insert into keys values (1, 1)'],
    ['a foreign key', 'insert into keys values (3, 2)'],
  ])('a transaction that violates %s is repeated once', async (_, statement) => {
    const database = openAt(await freshLocation('postgres'));
    await sql`create table keys (id integer primary key, parent integer references keys)`.execute(
      database.schema,
    );
    await sql`insert into keys values (1, null)`.execute(database.schema);
    let runs = 0;
    const run = (isRight: () => boolean) =>
      database.transaction(async (trx) => {
        runs++;
        await sql.raw(isRight() ? 'insert into keys values (2, 1)' : statement).execute(trx);
      });
    await expect(run(() => false)).rejects.toThrow('violates');
    expect(runs).toBe(2);
    await run(() => runs === 4);
    expect(runs).toBe(4);
  });

  test('a transaction is not repeated after a permanent error', async () => {
    const database = openAt(await freshLocation('postgres'));
    let runs = 0;
    const failing = database.transaction(async (trx) => {
      runs++;
      await sql`select * from nothing`.execute(trx);
    });
    await expect(failing).rejects.toThrow('does not exist');
    expect(runs).toBe(1);
  });

  test('connections that the server ends are replaced', async () => {
    const place = await freshLocation('postgres');
    const database = openAt(place);
    await sql`select 1`.execute(database.schema);
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(openAt(place).schema);
    // The pool may hand out the broken connection once more before it detects its end.
    let answer: unknown;
    for (let attempt = 0; attempt < 5 && answer === undefined; attempt++) {
      answer = await sql<{ one: number }>`select 1 as one`.execute(database.schema).then(
        ({ rows }) => rows[0],
        () => undefined,
      );
    }
    expect(answer).toEqual({ one: 1 });
  });
});
