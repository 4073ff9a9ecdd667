import { beforeAll, expect, test } from 'bun:test';
import { stat } from 'node:fs/promises';
import { sql } from 'kysely';
import { freshPlace, openAt } from '../../../test/harness/database.ts';
import { until } from '../../../test/harness/until.ts';
import type { Database } from './database.ts';

const PAGE = 4_096;
/** More than the log may have before it is copied. */
const PAGES = 4_500;

let database: Database;
let file: string;

beforeAll(async () => {
  file = await freshPlace('sqlite');
  database = openAt(file);
  await database.schema.schema.createTable('entries').addColumn('text', 'text').execute();
});

const write = (bytes: number) =>
  database.transaction((trx) => sql`insert into entries values (${'x'.repeat(bytes)})`.execute(trx));

async function pagesOfLog(): Promise<number> {
  const { rows } = await sql<{ log: number }>`pragma wal_checkpoint(noop)`.execute(database.read);
  return rows[0]?.log ?? 0;
}

test('a long log is copied to the database file and begun anew', async () => {
  await write(PAGES * PAGE);
  expect(await pagesOfLog()).toBeGreaterThan(PAGES);
  expect((await stat(file)).size).toBeLessThan(PAGES * PAGE);
  let written = 1;
  await until(async () => {
    await write(1);
    written++;
    return (await pagesOfLog()) < PAGES;
  });
  expect((await stat(file)).size).toBeGreaterThan(PAGES * PAGE);
  const { rows } = await sql<{ count: number }>`select count(*) count from entries`.execute(database.read);
  expect(rows[0]?.count).toBe(written);
});
