import { describe, expect, test } from 'bun:test';
import { DATABASES, freshDatabase, withClock } from '../../../test/harness/database.ts';
import { MINUTE } from '../clock.ts';
import { createHolds } from './holds.ts';

describe.each(DATABASES)('holds on %s', (kind) => {
  test('last until they are released, independently of each other', async () => {
    const database = await freshDatabase(kind);
    const holds = createHolds({ database, clock: { now: () => 1_000 } });
    const isHeld = (resource: string) => holds.isHeld(database.read, resource);
    const [one, two] = [await holds.take('blobs'), await holds.take('blobs')];
    expect([await isHeld('blobs'), await isHeld('others')]).toEqual([true, false]);
    await one.release();
    expect(await isHeld('blobs')).toBe(true);
    await two.release();
    expect(await isHeld('blobs')).toBe(false);
  });

  test('of a dead process end and are deleted', async () => {
    const clock = { at: 1_000, now: () => clock.at };
    const database = withClock(await freshDatabase(kind), clock);
    const holds = createHolds({ database, clock });
    const hold = await holds.take('blobs');
    clock.at += 5 * MINUTE - 1;
    hold.assertHeld();
    await holds.sweep();
    expect(await holds.isHeld(database.read, 'blobs')).toBe(true);
    clock.at += 1;
    expect(() => hold.assertHeld()).toThrow('expired');
    expect(await holds.isHeld(database.read, 'blobs')).toBe(false);
    await holds.sweep();
    expect(await database.read.selectFrom('holds').selectAll().execute()).toEqual([]);
    await hold.release();
  });

  test('of a dead process end in time when the clock is set back', async () => {
    const clock = { at: 100 * MINUTE, now: () => clock.at };
    const database = withClock(await freshDatabase(kind), clock);
    const holds = createHolds({ database, clock });
    const hold = await holds.take('blobs');
    clock.at -= 60 * MINUTE;
    await holds.sweep();
    clock.at += 5 * MINUTE;
    expect(await holds.isHeld(database.read, 'blobs')).toBe(false);
    await hold.release();
  });

  test('are the same for nodes whose clocks differ', async () => {
    const database = await freshDatabase(kind);
    const node = (aheadMs: number) => createHolds({ database, clock: { now: () => Date.now() + aheadMs } });
    const [behind, ahead] = [node(-10 * MINUTE), node(10 * MINUTE)];
    const holds = [await behind.take('blobs'), await ahead.take('blobs')];
    await ahead.sweep();
    await holds[1]?.release();
    expect(await ahead.isHeld(database.read, 'blobs')).toBe(true);
    await holds[0]?.release();
    expect(await behind.isHeld(database.read, 'blobs')).toBe(false);
  });
});
