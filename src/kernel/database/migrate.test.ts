import { describe, expect, test } from 'bun:test';
import { type Kysely, sql } from 'kysely';
import { DATABASES, freshLocation, openAt } from '../../../test/harness/database.ts';
import { until } from '../../../test/harness/until.ts';
import type { Schema } from './database.ts';
import { type Migration, migrate, readSteps } from './migrate.ts';

const first: Migration = {
  name: '0001_first',
  kind: 'expand',
  up: (schema) => schema.schema.createTable('first').addColumn('id', 'text').execute(),
};
const second: Migration = {
  name: '0002_second',
  kind: 'contract',
  async up(schema) {
    await schema.schema.createTable('second').addColumn('id', 'text').execute();
    await sql`insert into second values ('made once')`.execute(schema);
  },
};
const broken: Migration = {
  name: '0003_broken',
  kind: 'expand',
  async up(schema) {
    await schema.schema.createTable('third').addColumn('id', 'text').execute();
    await sql`select nonsense`.execute(schema);
  },
};

const tables = async (schema: Schema) => (await schema.introspection.getTables()).map(({ name }) => name);

describe.each(DATABASES)('migrations on %s', (kind) => {
  test('are applied once, in the order of their names', async () => {
    const database = openAt(await freshLocation(kind));
    const { schema } = database;
    await migrate(database, [second, first]);
    await migrate(database, [first, second]);
    const done = await (schema as Kysely<{ migrations: { name: string; timestamp: string } }>)
      .selectFrom('migrations')
      .select('name')
      .orderBy('timestamp')
      .orderBy('name')
      .execute();
    expect(done.map(({ name }) => name)).toEqual(['0001_first', '0002_second']);
    expect((await sql`select * from second`.execute(schema)).rows).toHaveLength(1);
  });

  test('of kind contract are refused where an earlier version may run, except in a new database', async () => {
    const database = openAt(await freshLocation(kind));
    await migrate(database, [first], { expandOnly: true });
    await expect(migrate(database, [first, second], { expandOnly: true })).rejects.toThrow(
      'Servers of an earlier version cannot use this database after its update (0002_second)',
    );
    expect(await tables(database.schema)).not.toContain('second');
    await migrate(database, [first, second]);
    const expanding: Migration = { name: '0003_third', kind: 'expand', up: async () => {} };
    await migrate(database, [first, second, expanding], { expandOnly: true });
    await migrate(openAt(await freshLocation(kind)), [first, second], { expandOnly: true });
  });

  test('leave no changes when one fails', async () => {
    const database = openAt(await freshLocation(kind));
    const { schema } = database;
    await migrate(database, [first]);
    await expect(migrate(database, [first, second, broken])).rejects.toThrow('nonsense');
    expect(await tables(schema)).toContain('first');
    expect(await tables(schema)).not.toContain('second');
    expect(await tables(schema)).not.toContain('third');
    await migrate(database, [first, second]);
    expect(await tables(schema)).toContain('second');
  });

  test('refuse a database of a newer version, with a message for the operator', async () => {
    const database = openAt(await freshLocation(kind));
    await migrate(database, [first, second]);
    await expect(migrate(database, [first])).rejects.toThrow('0002_second');
    await expect(migrate(database, [first])).rejects.toThrow('newer version of Posthouse');
  });

  test('accept a database of a newer version that only expanded the schema', async () => {
    const database = openAt(await freshLocation(kind));
    await migrate(database, [first]);
    await migrate(database, [{ ...second, kind: 'expand' }, first]);
    await migrate(database, [first]);
    expect(await readSteps(database.schema, [first])).toEqual({ missing: [], tooNew: [] });
    await migrate(database, [first, { ...broken, up: async () => {}, kind: 'contract' }]);
    expect(await readSteps(database.schema, [first])).toEqual({ missing: [], tooNew: ['0003_broken'] });
    await expect(migrate(database, [first])).rejects.toThrow('(it has 0003_broken)');
  });

  test('take over the table of versions that did not record the kind', async () => {
    const database = openAt(await freshLocation(kind));
    const { schema } = database;
    await sql`create table migrations (name varchar(255) primary key, timestamp varchar(255))`.execute(
      schema,
    );
    await sql`insert into migrations values ('0001_first', '')`.execute(schema);
    expect((await readSteps(schema, [first, second])).missing).toEqual([second]);
    await migrate(database, [first, second]);
    expect(await tables(schema)).toContain('second');
    expect(await tables(schema)).not.toContain('first');
    await expect(migrate(database, [second])).rejects.toThrow('0001_first');
  });

  test('refuse a migration that sorts before an applied one, and a duplicate name', async () => {
    const database = openAt(await freshLocation(kind));
    await migrate(database, [second]);
    await expect(migrate(database, [first, second])).rejects.toThrow('0001_first');
    await expect(migrate(database, [second, second])).rejects.toThrow('the same name');
  });

  test('are applied once when several processes start on an empty database', async () => {
    const place = await freshLocation(kind);
    const script = `
      import { sql } from 'kysely';
      import { migrate } from './migrate.ts';
      import { openSqlite } from './sqlite/sqlite.ts';
      import { openPostgres } from './postgres/postgres.ts';
      const database = ${kind === 'sqlite' ? 'openSqlite' : 'openPostgres'}(${JSON.stringify(place)});
      await migrate(database, [{ name: '0001_slow', kind: 'expand', async up(schema) {
        await schema.schema.createTable('slow').addColumn('id', 'text').execute();
        for (let i = 0; i < 300; i++) await sql\`insert into slow values ('x')\`.execute(schema);
      } }]);
      await database.close();`;
    const processes = Array.from({ length: 3 }, () =>
      Bun.spawn([process.execPath, '-e', script], { cwd: import.meta.dir, stdout: 'pipe', stderr: 'pipe' }),
    );
    const ends = await Promise.all(
      processes.map(async ({ exited, stderr }) => ({
        status: await exited,
        stderr: await new Response(stderr).text(),
      })),
    );
    expect(ends).toEqual(Array(3).fill({ status: 0, stderr: '' }));
    expect((await sql`select * from slow`.execute(openAt(place).schema)).rows).toHaveLength(300);
  });
});

test('on SQLite, sorts of migrations are in files, and later ones in memory', async () => {
  const database = openAt(await freshLocation('sqlite'));
  const stores: unknown[] = [];
  const up = async (schema: Schema) => {
    stores.push(...(await sql`pragma temp_store`.execute(schema)).rows);
  };
  await migrate(database, [{ ...first, up }]);
  await expect(migrate(database, [{ ...first, up }, broken])).rejects.toThrow('nonsense');
  await up(database.schema);
  const second = { ...first, name: '0002_second', up };
  await migrate(database, [{ ...first, up }, second]);
  expect(stores).toEqual([{ temp_store: 1 }, { temp_store: 2 }, { temp_store: 1 }]);
});

test('on PostgreSQL, a table that a long transaction reads stays writable while a migration waits for it', async () => {
  const place = await freshLocation('postgres');
  const [database, { schema }] = [openAt(place), openAt(place)];
  await migrate(database, [first]);
  const added: Migration = {
    name: '0002_added',
    kind: 'expand',
    up: ['alter table first add column more text'],
  };
  let refusals = 0;
  const migrated = await schema.transaction().execute(async (reading) => {
    await sql`select * from first`.execute(reading);
    const migrating = migrate(database, [first, added], { locked: () => refusals++ });
    await until(async () => {
      const { rows } =
        await sql`select from pg_locks where relation = 'first'::regclass and not granted`.execute(schema);
      return rows.length > 0;
    });
    await sql`insert into first values ('meanwhile')`.execute(schema);
    await until(() => refusals > 0);
    return { migrating };
  });
  await migrated.migrating;
  expect((await sql`select * from first`.execute(schema)).rows).toEqual([{ id: 'meanwhile', more: null }]);
});
