import { beforeAll, describe, expect, test } from 'bun:test';
import { DATABASES, freshDatabase } from '../../../../test/harness/database.ts';
import { addTeam } from '../../../../test/harness/storage-rows.ts';
import type { Database } from '../../../kernel/database/database.ts';
import { foldersAbove, foldersInside, isRooted, lineIn, namesIn, pathBelow, pathTo } from './above.ts';

/** Folders inside each other. */
const LEVELS = 100;
/** Folders in the deepest of them. */
const LEAVES = 1_000;

const line = Array.from({ length: LEVELS }, (_, level) => `level ${level}`);
const leaves = Array.from({ length: LEAVES }, (_, index) => `leaf ${index}`);

describe.each(DATABASES)('the folders above others on %s', (kind) => {
  let database: Database;
  let workspaceId: string;

  beforeAll(async () => {
    database = await freshDatabase(kind);
    workspaceId = (await addTeam(database, 'owner')).id;
    const other = (await addTeam(database, 'owner')).id;
    const row = (id: string, parent_id: string | null) => ({
      id,
      workspace_id: id === 'level 1' ? other : workspaceId,
      parent_id,
      name: id,
      name_key: id,
      date_created: 0,
    });
    const rows = [
      ...line.map((id, level) => row(id, line[level - 1] ?? null)),
      ...leaves.map((id) => row(id, line.at(-1) ?? null)),
      row('beside', line[1] ?? null),
      row('orphan', 'gone'),
      row('one', 'two'),
      row('two', 'one'),
    ];
    await database.transaction((trx) => trx.insertInto('folders').values(rows).execute());
  });

  test('are read once for all, at any depth', async () => {
    expect((await foldersAbove(database.read, leaves)).size).toBe(LEVELS + LEAVES);
    expect((await foldersAbove(database.read, leaves, { until: line.at(-3) })).size).toBe(3 + LEAVES);
    expect((await foldersAbove(database.read, [])).size).toBe(0);
  });

  test('are read in several queries where they are many, between which other work runs', async () => {
    let pauses = 0;
    const giveWay = async () => void pauses++;
    expect((await foldersAbove(database.read, leaves, { giveWay })).size).toBe(LEVELS + LEAVES);
    const ofMany = pauses;
    expect(ofMany).toBeGreaterThan(0);
    expect((await foldersAbove(database.read, leaves.slice(0, 9), { giveWay })).size).toBe(LEVELS + 9);
    expect(pauses).toBe(ofMany);
  });

  test('name a folder, without the root and folders of another workspace', async () => {
    const above = await foldersAbove(database.read, ['leaf 7', 'orphan']);
    const folder = { id: 'leaf 7', workspaceId };
    expect(namesIn(above, folder, 1_000)).toEqual([...line.slice(2), 'leaf 7']);
    expect(namesIn(above, folder, 2)).toEqual(['level 99', 'leaf 7']);
    expect([...lineIn(above, 'leaf 7')].at(-1)?.parent_id).toBeNull();
    expect([...lineIn(above, 'orphan')].map(({ parent_id }) => parent_id)).toEqual(['gone']);
  });

  test('end when they form a cycle', async () => {
    const above = await foldersAbove(database.read, ['one']);
    expect([...lineIn(above, 'one').take(LEVELS)].map(({ id }) => id)).toEqual(['one', 'two']);
    expect(await foldersInside(database.read, { rootId: 'level 0' }, ['one'])).toEqual(new Set());
    expect((await pathTo(database.read, 'one')).map(({ id }) => id)).toEqual(['two', 'one']);
    expect(await isRooted(database.read, 'one')).toBe(false);
    expect(await pathBelow(database.read, 'level 0', 'one')).toBeNull();
  });

  test('show which folders are inside another', async () => {
    const inside = (rootId: string, ids: string[]) => foldersInside(database.read, { rootId }, ids);
    expect((await inside('level 50', leaves)).size).toBe(LEAVES);
    expect(await inside('level 2', ['leaf 1', 'level 2', 'level 1', 'beside', 'orphan', 'none'])).toEqual(
      new Set(['leaf 1', 'level 2']),
    );
    expect(await inside('none', ['leaf 1', 'none'])).toEqual(new Set());
  });
});
