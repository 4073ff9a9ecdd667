import { expect, test } from 'bun:test';
import { freshDatabase } from '../../../../test/harness/database.ts';

test('joins and updates run with their parameters, and binding them does not change their plans', async () => {
  const database = await freshDatabase('sqlite');
  await database.transaction((trx) =>
    trx
      .insertInto('facts')
      .values(['a', 'b', 'c', 'd'].map((name) => ({ name, value: `of ${name}` })))
      .execute(),
  );
  const query = database.read
    .selectFrom('facts')
    .innerJoin('facts as same', 'same.name', 'facts.name')
    .select('facts.value')
    .where('facts.name', 'in', ['a', 'b', 'd'])
    .where('same.value', '>', 'of a')
    .orderBy('facts.name', 'desc')
    .limit(1)
    .offset(1);
  expect(await query.execute()).toEqual([{ value: 'of b' }]);
  // SQLite would compile a statement again at each run if its planner saw a parameter
  // (https://www.sqlite.org/c3ref/prepare.html).
  expect(query.compile().sql.replaceAll('(select ?)', '')).not.toContain('?');
  const changed = await database.transaction(async (trx) => {
    const update = trx.updateTable('facts').set({ value: 'new' }).where('name', 'in', ['a', 'd']);
    expect(update.compile().sql.replaceAll('(select ?)', '')).not.toContain('?');
    return await update.returning('name').execute();
  });
  expect(changed).toEqual([{ name: 'a' }, { name: 'd' }]);
});
