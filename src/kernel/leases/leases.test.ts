import { beforeEach, describe, expect, setSystemTime, test } from 'bun:test';
import { sql } from 'kysely';
import { DATABASES, freshDatabase, withClock } from '../../../test/harness/database.ts';
import { until } from '../../../test/harness/until.ts';
import { MINUTE, SECOND } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { readNow } from '../database/now.ts';
import { createLeases, LEASE_MS, type Leases } from './leases.ts';

const COLUMNS = { table: 'jobs', until: 'leased_until', owner: 'leased_by' };

describe.each(DATABASES)('leases on %s', (kind) => {
  let real: Database;
  let clock: { at: number; now(): number };
  let leases: Leases;

  beforeEach(async () => {
    real = await freshDatabase(kind);
    clock = { at: 1_000_000, now: () => clock.at };
    leases = createLeases(COLUMNS, { database: withClock(real, clock), clock });
    await sql`create table jobs (id text primary key, leased_by text, leased_until bigint)`.execute(
      real.schema,
    );
    await sql`insert into jobs (id) values ('a'), ('b')`.execute(real.schema);
  });

  /** Returns the ids of the jobs leased by `owner`. */
  async function take(owner: string, from = leases): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`
      update jobs set leased_by = ${owner}, leased_until = ${from.end()} where ${from.isFree()}
      returning id`.execute(real.schema);
    return rows.map(({ id }) => id).sort();
  }
  async function held(from = leases): Promise<string[]> {
    const { rows } = await sql<{
      id: string;
    }>`select id from jobs where ${from.isHeld()} order by id`.execute(real.schema);
    return rows.map(({ id }) => id);
  }

  test('a lease has one holder until it ends', async () => {
    expect(await held()).toEqual([]);
    expect(await take('one')).toEqual(['a', 'b']);
    clock.at += LEASE_MS - 1;
    expect([await take('two'), await held()]).toEqual([[], ['a', 'b']]);
    clock.at += 1;
    expect(await held()).toEqual([]);
    expect(await take('two')).toEqual(['a', 'b']);
  });

  test('only the holder renews and releases a lease', async () => {
    await take('one');
    clock.at += LEASE_MS - 1;
    expect(await leases.renew(['a', 'b'], 'two')).toBe(0);
    expect(await leases.renew(['a'], 'one')).toBe(1);
    await leases.release(['a', 'b'], 'two');
    clock.at += 1;
    expect(await held()).toEqual(['a']);
    await leases.release(['a'], 'one');
    expect(await held()).toEqual([]);
  });

  test('a lease ends after its length when the clock was set back, unless it is renewed', async () => {
    await take('one');
    clock.at -= 10 * MINUTE;
    await leases.shorten(sql`id in ('a', 'b')`);
    clock.at += LEASE_MS - 1;
    expect(await take('two')).toEqual([]);
    await leases.renew(['a'], 'one');
    await leases.shorten();
    clock.at += 1;
    expect(await take('two')).toEqual(['b']);
  });

  test('a lease is renewed until its keeper stops', async () => {
    const short = createLeases(COLUMNS, { database: withClock(real, clock), clock, lengthMs: 30 });
    await take('one', short);
    const keeper = short.keep({ ids: () => ['a'], owner: 'one' });
    clock.at += 20;
    const end = async () =>
      (await sql<{ at: number }>`select leased_until as at from jobs where id = 'a'`.execute(real.schema))
        .rows[0]?.at;
    await until(async () => (await end()) === clock.at + 30);
    await until(keeper.isHeld);
    clock.at += 29;
    expect(await take('two', short)).toEqual(['b']);
    keeper.stop();
  });

  test('a keeper reports the loss of a lease', async () => {
    await take('one');
    const keeper = leases.keep({ ids: () => ['a'], owner: 'one' });
    clock.at += LEASE_MS - 1;
    expect(keeper.isHeld()).toBe(true);
    clock.at += 1;
    expect(keeper.isHeld()).toBe(false);
    keeper.stop();
  });

  test('leases do not depend on the clocks of nodes', async () => {
    const onDatabaseTime = createLeases(COLUMNS, { database: real, clock });
    const before = await readNow(real, real.read);
    try {
      setSystemTime(Date.now() - 2 * MINUTE);
      expect(await take('behind', onDatabaseTime)).toEqual(['a', 'b']);
      setSystemTime(Date.now() + 4 * MINUTE);
      expect(await take('ahead', onDatabaseTime)).toEqual([]);
      expect(Math.abs((await readNow(real, real.read)) - before)).toBeLessThan(30 * SECOND);
    } finally {
      setSystemTime();
    }
  });
});
