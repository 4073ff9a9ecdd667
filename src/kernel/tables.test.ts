import { describe, expect, test } from 'bun:test';
import { sql } from 'kysely';
import { DATABASES, freshLocation, openAt } from '../../test/harness/database.ts';
import { migrate } from './database/migrate.ts';
import { kernelMigrations } from './tables.ts';

describe.each(DATABASES)('migrations of the kernel on %s', (kind) => {
  test('queued messages keep their order within each lane', async () => {
    const database = openAt(await freshLocation(kind));
    const { schema } = database;
    const after = kernelMigrations.findIndex(({ name }) => name === '0007_outbox_position');
    await migrate(database, kernelMigrations.slice(0, after));
    const add = (id: string, lane: string | null, status = 'queued') =>
      sql`
        insert into outbox (id, message_id, part, kind, lane, blocked, status, payload, attempts,
          next_attempt_at, deadline_at, sandbox, date_created)
        values (${id}, ${id}, 0, 'chat', ${lane}, 0, ${status}, '{}', 0, 0, 0, 0, 0)`.execute(schema);
    await add('2', 'a');
    await add('1', 'a');
    await add('0', 'a', 'sent');
    await add('3', 'b');
    await add('4', null);
    await migrate(database, kernelMigrations);
    const { rows } = await sql`select id, position from outbox order by id`.execute(schema);
    expect(rows).toEqual([
      { id: '0', position: 0 },
      { id: '1', position: 1 },
      { id: '2', position: 2 },
      { id: '3', position: 1 },
      { id: '4', position: 0 },
    ]);
  });
});
