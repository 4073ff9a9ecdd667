import { describe, expect, test } from 'bun:test';
import { sql } from 'kysely';
import { DATABASES, freshLocation, openAt } from '../../../test/harness/database.ts';
import { migrations } from '../../foundation/schema.ts';
import { MINUTE, systemClock } from '../clock.ts';
import { migrate } from '../database/migrate.ts';
import { createSharedSlots } from './shared-slots.ts';

describe.each(DATABASES)('slots in %s', (kind) => {
  test('are limited for all processes together, and free after the death of their process', async () => {
    const place = await freshLocation(kind);
    const databases = [openAt(place), openAt(place)];
    const [database] = databases;
    if (!database) throw new Error('no database');
    await migrate(database, migrations);
    const nodes = databases.map((own) =>
      createSharedSlots({ database: own, clock: systemClock, name: 'test' }),
    );
    const take = (index: number) => nodes[index % 2]?.take('ada', 3);
    const taken = await Promise.all(Array.from({ length: 8 }, (_, index) => take(index)));
    const held = taken.filter((release) => release);
    expect(held).toHaveLength(3);
    expect(await take(0)).toBeNull();
    expect(await nodes[0]?.take('bob', 3)).toBeFunction();

    await held[0]?.();
    expect(await take(1)).toBeFunction();
    expect(await take(1)).toBeNull();

    await sql`update slots set lease_until = 1`.execute(database.schema);
    expect(await take(0)).toBeFunction();
    // Their leases have ended: they free no slot of others.
    for (const release of held) await release?.();
    await nodes[0]?.sweep();
    const { rows } = await sql<{ id: string }>`select id from slots`.execute(database.schema);
    expect(rows).toHaveLength(1);

    // The clock was set back after a process had died.
    await sql`update slots set lease_until = lease_until + 3600000`.execute(database.schema);
    await nodes[0]?.sweep();
    const left = sql<{ left: number }>`select lease_until - ${database.now} as left from slots`;
    expect((await left.execute(database.schema)).rows[0]?.left).toBeLessThanOrEqual(MINUTE);
    for (const node of nodes) node.stop();
  });
});
