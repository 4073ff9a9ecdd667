import { beforeAll, describe, expect, test } from 'bun:test';
import { sql } from 'kysely';
import { DATABASES, freshPlace, openAt } from '../../../test/harness/database.ts';
import type { Database } from './database.ts';
import { listed } from './listed.ts';

describe.each(DATABASES)('listed rows on %s', (kind) => {
  let database: Database;
  beforeAll(async () => {
    database = openAt(await freshPlace(kind));
  });

  test('come out as they went in', async () => {
    const rows = [
      { id: 'a', text: 'Grüße "👋" \\ \n', size: 2 ** 40 },
      { id: 'b', text: null, size: null },
      { id: 'c', text: '', size: -1 },
      { id: 'd', text: JSON.stringify({ nul: '\u0000', half: '\ud83d' }), size: 0 },
    ];
    const table = listed(kind, 'given', { id: 'text', text: 'text', size: 'bigint' }, rows);
    const found = await sql<(typeof rows)[number]>`select id, text, size from ${table} order by id`.execute(database.schema);
    expect(found.rows).toEqual(rows);
  });

  test('may be none', async () => {
    const found = await sql`select id from ${listed(kind, 'given', { id: 'text' }, [])}`.execute(database.schema);
    expect(found.rows).toEqual([]);
  });
});
