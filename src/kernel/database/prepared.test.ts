import { describe, expect, test } from 'bun:test';
import { DATABASES, freshDatabase } from '../../../test/harness/database.ts';
import type { Reader, Transaction } from './database.ts';

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
    const find = database.prepare((reader: Reader, { name, other }: { name: string; other: string }) =>
      reader
        .selectFrom('facts')
        .select('value')
        .where('value', 'like', 'of %')
        .where('name', 'in', [name, other])
        .orderBy('name'),
    );
    const found = await Promise.all([
      find(database.read, { name: 'a', other: 'c' }),
      find(database.read, { name: 'b', other: 'none' }),
      find(database.read, { name: 'none', other: 'none' }),
    ]);
    expect(found).toEqual([[{ value: 'of a' }, { value: 'of c' }], [{ value: 'of b' }], []]);
  });

  test('runs in the transaction that it is given, and elsewhere on committed rows', async () => {
    const database = await freshDatabase(kind);
    const find = database.prepare((reader: Reader, { name }: { name: string }) =>
      reader.selectFrom('facts').select('value').where('name', '=', name),
    );
    const insert = database.prepare((trx: Transaction, { name, value }: { name: string; value: string }) =>
      trx.insertInto('facts').values({ name, value }).returning('value'),
    );
    const undone = database.transaction(async (trx) => {
      expect(await insert(trx, { name: 'a', value: 'new' })).toEqual([{ value: 'new' }]);
      expect(await find(trx, { name: 'a' })).toEqual([{ value: 'new' }]);
      expect(await find(database.read, { name: 'a' })).toEqual([]);
      expect(await find(database.slow('a test'), { name: 'a' })).toEqual([]);
      throw new Error('undo');
    });
    await expect(undone).rejects.toThrow('undo');
    expect(await find(database.read, { name: 'a' })).toEqual([]);
  });
});
