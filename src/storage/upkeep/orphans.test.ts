import { describe, expect, test } from 'bun:test';
import { DATABASES, freshDatabase } from '../../../test/harness/database.ts';
import { DAY, HOUR } from '../../kernel/clock.ts';
import { createOrphans } from './orphans.ts';

describe.each(DATABASES)('orphans on %s', (kind) => {
  test('are old enough after an hour for every node, and not when a row references them again', async () => {
    const database = await freshDatabase(kind);
    const clock = { at: 1_800_000_000_000, now: () => clock.at };
    const [one, two] = [createOrphans({ database, clock }), createOrphans({ database, clock })];
    const orphaned = new Set(['a', 'b']);
    const isOrphan = (key: string) => orphaned.has(key);
    expect(await one.record(['a', 'b', 'c'], isOrphan, HOUR)).toEqual([]);
    clock.at += HOUR - 1;
    expect(await two.record(['a', 'b', 'c'], isOrphan, HOUR)).toEqual([]);
    orphaned.delete('b');
    expect(await two.record(['a', 'b', 'c'], isOrphan, HOUR)).toEqual([]);
    orphaned.add('b');
    clock.at += 1;
    expect(await two.record(['a', 'b', 'c'], isOrphan, HOUR)).toEqual(['a']);
    await two.forget(['a']);
    expect(await database.read.selectFrom('orphans').select('blob_key').execute()).toEqual([
      { blob_key: 'b' },
    ]);
    clock.at += DAY + 1;
    await one.sweep();
    expect(await database.read.selectFrom('orphans').selectAll().execute()).toEqual([]);
  });
});
