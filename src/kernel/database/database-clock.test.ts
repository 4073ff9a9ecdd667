import { afterEach, expect, spyOn, test } from 'bun:test';
import { freshDatabase, withClock } from '../../../test/harness/database.ts';
import { openDatabaseClock } from './database-clock.ts';

const real = Date.now;
const ahead = (ms: number) => spyOn(Date, 'now').mockImplementation(() => real() + ms);
afterEach(() => void spyOn(Date, 'now').mockRestore());
const near = (time: number) => Math.abs(time - real()) < 1_000;

test('nodes with different clocks have the time of PostgreSQL, also after a step of their clock', async () => {
  const database = await freshDatabase('postgres');
  ahead(120_000);
  const clock = await openDatabaseClock(database);
  expect(Math.round(clock.skewMs() / 1_000)).toBe(120);
  expect(near(clock.now())).toBe(true);
  ahead(-3_600_000);
  expect(near(clock.now())).toBe(true);
  await clock.synchronize();
  expect(near(clock.now())).toBe(true);
  expect(Math.round(clock.skewMs() / 1_000)).toBe(-3_600);
});

test('it follows the clock of PostgreSQL when that is set', async () => {
  let offset = 0;
  const database = withClock(await freshDatabase('postgres'), { now: () => real() + offset });
  const clock = await openDatabaseClock(database);
  offset = -5_000;
  await clock.synchronize();
  expect(near(clock.now() + 5_000)).toBe(true);
  expect(Math.round(clock.skewMs() / 1_000)).toBe(5);
});

test('SQLite has the clock of the machine', async () => {
  const clock = await openDatabaseClock(await freshDatabase('sqlite'));
  ahead(120_000);
  expect(near(clock.now() - 120_000)).toBe(true);
});
