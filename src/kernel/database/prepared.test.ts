import { describe, expect, test } from 'bun:test';
import { DATABASES, freshDatabase } from '../../../test/harness/database.ts';
import { prepare } from './prepared.ts';

describe.each(DATABASES)('a prepared query on %s', (kind) => {
  test('uses the values of each call', async () => {
    const database = await freshDatabase(kind);
    const names = ['a', 'b', 'c'];
    await database.transaction((trx) =>
      trx
        .insertInto('facts')
        .values(names.map((name) => ({ name, value: `of ${name}` })))
        .execute(),
    );
    const find = prepare(database, (reader, { name, other }: { name: string; other: string }) =>
      reader
        .selectFrom('facts')
        .select('value')
        .where('value', 'like', 'of %')
        .where('name', 'in', [name, other])
        .orderBy('name'),
    );
    const found = await Promise.all([
      find({ name: 'a', other: 'c' }),
      find({ name: 'b', other: 'none' }),
      find({ name: 'none', other: 'none' }),
    ]);
    expect(found).toEqual([[{ value: 'of a' }, { value: 'of c' }], [{ value: 'of b' }], []]);
  });
});
