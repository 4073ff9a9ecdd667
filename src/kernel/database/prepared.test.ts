import { describe, expect, test } from 'bun:test';
import { BACKENDS, freshDirectory, freshPostgres } from '../../../test/harness/backends.ts';
import { kernelMigrations } from '../tables.ts';
import { migrate } from './migrate.ts';
import { openPostgres } from './postgres.ts';
import { prepare } from './prepared.ts';
import { openSqlite } from './sqlite.ts';

describe.each(BACKENDS)('a prepared query on %s', (backend) => {
  test('answers each time with the values of that time', async () => {
    const database = backend === 'sqlite+local' ? openSqlite(`${freshDirectory()}/test.sqlite`) : openPostgres(await freshPostgres());
    await migrate(database.schema, kernelMigrations);
    const names = ['a', 'b', 'c'];
    await database.transaction((trx) =>
      trx
        .insertInto('facts')
        .values(names.map((name) => ({ name, value: `of ${name}` })))
        .execute(),
    );
    const find = prepare(database, (reader, { name, other }: { name: string; other: string }) =>
      reader.selectFrom('facts').select('value').where('value', 'like', 'of %').where('name', 'in', [name, other]).orderBy('name'),
    );
    const found = await Promise.all([
      find({ name: 'a', other: 'c' }),
      find({ name: 'b', other: 'none' }),
      find({ name: 'none', other: 'none' }),
    ]);
    expect(found).toEqual([[{ value: 'of a' }, { value: 'of c' }], [{ value: 'of b' }], []]);
    await database.close();
  });
});
