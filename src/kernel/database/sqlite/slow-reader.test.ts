import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { sql } from 'kysely';
import { freshLocation, openAt } from '../../../../test/harness/database.ts';
import { migrations } from '../../../foundation/schema.ts';
import { createLog } from '../../log.ts';
import type { Database } from '../database.ts';
import { migrate } from '../migrate.ts';
import { FEW_ROWS, readerFor } from '../reader-for.ts';
import { createSlowReader, type SlowReader } from './slow-reader.ts';

/** Takes hours. */
const ENDLESS = sql`
  with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < 1e12)
  select count(*) from numbers`;

describe('reads of SQLite in child processes', () => {
  let place: string;
  let database: Database;
  let slow: SlowReader;

  beforeAll(async () => {
    place = await freshLocation('sqlite');
    database = openAt(place);
    await migrate(database, migrations);
    slow = createSlowReader(place, createLog('silent'), 300);
  });
  afterAll(() => slow.stop());
  beforeEach(async () => {
    await database.transaction((trx) => trx.deleteFrom('facts').execute());
  });

  const facts = (caller = 'one') => slow.of(caller).selectFrom('facts').selectAll().orderBy('name').execute();
  const add = (...names: string[]) =>
    database.transaction((trx) =>
      trx
        .insertInto('facts')
        .values(names.map((name) => ({ name, value: `value of ${name}` })))
        .execute(),
    );

  test('see rows that were committed before', async () => {
    for (let round = 0; round < 3; round++) {
      await add(`fact ${round}`);
      expect(await facts()).toHaveLength(round + 1);
    }
    expect((await facts())[1]).toEqual({ name: 'fact 1', value: 'value of fact 1' });
    expect(await slow.of('one').selectFrom('facts').select('name').where('name', '=', 'x').execute()).toEqual(
      [],
    );
  });

  test('end after a time limit, and neither this process nor another caller waits for them', async () => {
    await add('a');
    let ticks = 0;
    const timer = setInterval(() => ticks++, 10);
    const endless = Array.from({ length: 3 }, () =>
      ENDLESS.execute(slow.of('greedy')).catch((error) => error),
    );
    expect(await facts('other')).toHaveLength(1);
    for (const error of await Promise.all(endless)) expect(error).toMatchObject({ code: 'unavailable' });
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(10);
    expect(await facts('greedy')).toHaveLength(1);
  });

  test('cannot write, and report errors of the database', async () => {
    await expect(sql`delete from facts`.execute(slow.of('one'))).rejects.toThrow('readonly');
    await expect(sql`select * from nowhere`.execute(slow.of('one'))).rejects.toThrow('nowhere');
  });

  test('are used for many rows only', async () => {
    const chosen = async () => {
      const reader = await readerFor(database, 'one', (read) => read.selectFrom('facts').select('name'));
      return reader === database.read ? 'here' : 'child';
    };
    const names = Array.from({ length: FEW_ROWS }, (_, index) => `fact ${index}`);
    await add(...names);
    expect(await chosen()).toBe('here');
    await add('one more');
    expect(await chosen()).toBe('child');
  });
});
