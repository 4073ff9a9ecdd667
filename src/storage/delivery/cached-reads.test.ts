import { expect, test } from 'bun:test';
import { freshLocation, openAt } from '../../../test/harness/database.ts';
import { migrations } from '../../foundation/schema.ts';
import type { Database } from '../../kernel/database/database.ts';
import { migrate } from '../../kernel/database/migrate.ts';
import { cacheReads } from './cached-reads.ts';

const put = (database: Database, value: string) =>
  database.transaction((trx) =>
    trx
      .insertInto('facts')
      .values({ name: 'fact', value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute(),
  );

async function setUp() {
  const place = await freshLocation('sqlite');
  const [one, other] = [openAt(place), openAt(place)];
  await migrate(one, migrations);
  let reads = 0;
  const find = cacheReads(one, 10, async (name) => {
    reads++;
    const row = await one.read
      .selectFrom('facts')
      .select('value')
      .where('name', '=', name)
      .executeTakeFirst();
    return row ?? null;
  });
  return { one, other, find, reads: () => reads };
}

test('a value that is read again is kept, until this process or another one commits anything', async () => {
  const { one, other, find, reads } = await setUp();
  await put(one, 'a');
  expect([await find('fact'), await find('fact'), reads()]).toEqual([{ value: 'a' }, { value: 'a' }, 2]);
  expect([await find('fact'), reads()]).toEqual([{ value: 'a' }, 2]);
  await put(one, 'b');
  expect([await find('fact'), await find('fact'), reads()]).toEqual([{ value: 'b' }, { value: 'b' }, 3]);
  await put(other, 'c');
  expect([await find('fact'), await find('fact'), reads()]).toEqual([{ value: 'c' }, { value: 'c' }, 4]);
});

test('a commit during a read makes the next call read again', async () => {
  const { one, other } = await setUp();
  await put(one, 'a');
  let reads = 0;
  const find = cacheReads(one, 10, async () => {
    const row = await one.read
      .selectFrom('facts')
      .select('value')
      .where('name', '=', 'fact')
      .executeTakeFirstOrThrow();
    // The second read is kept.
    if (++reads === 2) await put(other, 'b');
    return row;
  });
  expect([await find('fact'), await find('fact'), await find('fact')]).toEqual([
    { value: 'a' },
    { value: 'a' },
    { value: 'b' },
  ]);
});

test('missing rows are read again', async () => {
  const { find, reads } = await setUp();
  expect([await find('none'), await find('none'), reads()]).toEqual([null, null, 2]);
});

test('without versions, each call reads', async () => {
  let reads = 0;
  const find = cacheReads({ version: null }, 10, async () => ({ reads: ++reads }));
  expect([await find('a'), await find('a')]).toEqual([{ reads: 1 }, { reads: 2 }]);
});
