import { describe, expect, test } from 'bun:test';
import { type Kysely, sql } from 'kysely';
import { DATABASES, freshPlace, openAt } from '../../../test/harness/database.ts';
import type { Schema } from './database.ts';
import { type Migration, migrate } from './migrate.ts';

const first: Migration = {
  name: '0001_first',
  up: (schema) => schema.schema.createTable('first').addColumn('id', 'text').execute(),
};
const second: Migration = {
  name: '0002_second',
  async up(schema) {
    await schema.schema.createTable('second').addColumn('id', 'text').execute();
    await sql`insert into second values ('made once')`.execute(schema);
  },
};
const broken: Migration = {
  name: '0003_broken',
  async up(schema) {
    await schema.schema.createTable('third').addColumn('id', 'text').execute();
    await sql`select nonsense`.execute(schema);
  },
};

const tables = async (schema: Schema) => (await schema.introspection.getTables()).map(({ name }) => name);

describe.each(DATABASES)('migrations on %s', (kind) => {
  test('are applied once, in the order of their names', async () => {
    const { schema } = openAt(await freshPlace(kind));
    await migrate(schema, [second, first]);
    await migrate(schema, [first, second]);
    const done = await (schema as Kysely<{ migrations: { name: string; timestamp: string } }>)
      .selectFrom('migrations')
      .select('name')
      .orderBy('timestamp')
      .orderBy('name')
      .execute();
    expect(done.map(({ name }) => name)).toEqual(['0001_first', '0002_second']);
    expect((await sql`select * from second`.execute(schema)).rows).toHaveLength(1);
  });

  test('leave no changes when one fails', async () => {
    const { schema } = openAt(await freshPlace(kind));
    await migrate(schema, [first]);
    await expect(migrate(schema, [first, second, broken])).rejects.toThrow('nonsense');
    expect(await tables(schema)).toContain('first');
    expect(await tables(schema)).not.toContain('second');
    expect(await tables(schema)).not.toContain('third');
    await migrate(schema, [first, second]);
    expect(await tables(schema)).toContain('second');
  });

  test('refuse a database of a newer version, with a message for the operator', async () => {
    const { schema } = openAt(await freshPlace(kind));
    await migrate(schema, [first, second]);
    await expect(migrate(schema, [first])).rejects.toThrow('0002_second');
    await expect(migrate(schema, [first])).rejects.toThrow('newer version of Posthouse');
  });

  test('refuse a migration that sorts before an applied one, and a duplicate name', async () => {
    const { schema } = openAt(await freshPlace(kind));
    await migrate(schema, [second]);
    await expect(migrate(schema, [first, second])).rejects.toThrow('0001_first');
    await expect(migrate(schema, [second, second])).rejects.toThrow('one name');
  });

  test('are applied once when several processes start on an empty database', async () => {
    const place = await freshPlace(kind);
    const script = `
      import { sql } from 'kysely';
      import { migrate } from './migrate.ts';
      import { openSqlite } from './sqlite.ts';
      import { openPostgres } from './postgres.ts';
      const database = ${kind === 'sqlite' ? 'openSqlite' : 'openPostgres'}(${JSON.stringify(place)});
      await migrate(database.schema, [{ name: '0001_slow', async up(schema) {
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
