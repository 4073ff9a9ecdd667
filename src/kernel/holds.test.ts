import { describe, expect, test } from 'bun:test';
import { DATABASES, freshDatabase } from '../../test/harness/database.ts';
import { MINUTE } from './clock.ts';
import { createHolds } from './holds.ts';

describe.each(DATABASES)('holds on %s', (kind) => {
  test('last until they are released, each by itself', async () => {
    const database = await freshDatabase(kind);
    const holds = createHolds({ database, clock: { now: () => 1_000 } });
    const isHeld = (what: string) => holds.isHeld(database.read, what);
    const [one, two] = [await holds.take('blobs'), await holds.take('blobs')];
    expect([await isHeld('blobs'), await isHeld('others')]).toEqual([true, false]);
    await one.release();
    expect(await isHeld('blobs')).toBe(true);
    await two.release();
    expect(await isHeld('blobs')).toBe(false);
  });

  test('of a dead process run out, and are swept away', async () => {
    const database = await freshDatabase(kind);
    const clock = { at: 1_000, now: () => clock.at };
    const holds = createHolds({ database, clock });
    const hold = await holds.take('blobs');
    clock.at += 5 * MINUTE - 1;
    hold.assertHeld();
    await holds.sweep();
    expect(await holds.isHeld(database.read, 'blobs')).toBe(true);
    clock.at += 1;
    expect(() => hold.assertHeld()).toThrow('ran out');
    expect(await holds.isHeld(database.read, 'blobs')).toBe(false);
    await holds.sweep();
    expect(await database.read.selectFrom('holds').selectAll().execute()).toEqual([]);
    await hold.release();
  });
});
