import { beforeAll, describe, expect, test } from 'bun:test';
import { sql } from 'kysely';
import { DATABASES, freshLocation, openAt } from '../../../test/harness/database.ts';
import type { Database } from './database.ts';
import { jsonTable } from './json-table.ts';

describe.each(DATABASES)('a JSON table on %s', (kind) => {
  let database: Database;
  beforeAll(async () => {
    database = openAt(await freshLocation(kind));
  });

  test('returns the rows as they were given', async () => {
    const rows = [
      { id: 'a', text: 'Grüße "👋" \\ \n', size: 2 ** 40 },
      { id: 'b', text: null, size: null },
      { id: 'c', text: '', size: -1 },
      { id: 'd', text: JSON.stringify({ nul: '\u0000', half: '\ud83d' }), size: 0 },
    ];
    const table = jsonTable(kind, 'given', { id: 'text', text: 'text', size: 'bigint' }, rows);
    const found = await sql<(typeof rows)[number]>`select id, text, size from ${table} order by id`.execute(
      database.schema,
    );
    expect(found.rows).toEqual(rows);
  });

  test('can be empty', async () => {
    const found = await sql`select id from ${jsonTable(kind, 'given', { id: 'text' }, [])}`.execute(
      database.schema,
    );
    expect(found.rows).toEqual([]);
  });
});
