import { beforeAll, describe, expect, test } from 'bun:test';
import { DATABASES, freshDatabase } from '../../../../test/harness/database.ts';
import { addFileRow, addFolderRow, addWorkspace } from '../../../../test/harness/storage-rows.ts';
import type { Database } from '../../../kernel/database/database.ts';
import { planCopy } from './copy-plan.ts';
import { childrenOf, folderUsage } from './folder.ts';
import { pagesOfFolders } from './subtree.ts';

const LEVELS = 100;
const SIBLINGS = 5_000;
const chain = Array.from({ length: LEVELS }, (_, level) => `level ${level}`);

describe.each(DATABASES)('the folders below others on %s', (kind) => {
  let database: Database;

  beforeAll(async () => {
    database = await freshDatabase(kind);
    await addWorkspace(database, { id: 'w', root_folder_id: 'root' });
    await addFolderRow(database, { id: 'root', workspace_id: 'w', parent_id: null });
    const row = (id: string, parent_id: string, deleted_at: number | null = null) => ({
      ...{ id, workspace_id: 'w', parent_id, name: id, name_key: id, date_created: 0 },
      ...{ deleted_at },
    });
    const siblings = Array.from({ length: SIBLINGS }, (_, index) => row(`sibling ${index}`, 'level 0'));
    const rows = [
      ...chain.map((id, level) => row(id, chain[level - 1] ?? 'root')),
      ...siblings,
      row('deleted', 'level 0', 1),
    ];
    for (let at = 0; at < rows.length; at += 1_000)
      await database.transaction((trx) =>
        trx
          .insertInto('folders')
          .values(rows.slice(at, at + 1_000))
          .execute(),
      );
    await addFileRow(database, { workspace_id: 'w', folder_id: chain.at(-1) ?? '' });
  });

  test('are read in pages, each after its parent', async () => {
    const seen = new Set<string | null>(['root', null]);
    for await (const page of pagesOfFolders(database.read, 'root')) {
      expect(page.length).toBeLessThanOrEqual(2_000);
      for (const { id, parent_id } of page) {
        expect(seen).toContain(parent_id);
        seen.add(id);
      }
    }
    expect(seen.size).toBe(2 + LEVELS + SIBLINGS);
  });

  test('are those of a small tree, in the same order', async () => {
    const below = async (id: string) => (await Array.fromAsync(pagesOfFolders(database.read, id))).flat();
    expect((await below('level 1')).map(({ id }) => id).sort()).toEqual(chain.slice(1).sort());
    expect(await below('none')).toEqual([]);
  });

  test('are listed by name, in time slices', async () => {
    let pauses = 0;
    const children = await childrenOf(database, { id: 'level 0' }, async () => void pauses++);
    const names = children.map(({ name }) => name);
    expect(names).toHaveLength(1 + SIBLINGS);
    expect(names).toEqual([...new Set(names)].sort());
    expect(pauses).toBeGreaterThan(SIBLINGS / 1_000);
  });

  test('are planned for a copy in time slices', async () => {
    const root = { id: 'root', workspaceId: 'w' };
    let pauses = 0;
    const giveWay = async () => void pauses++;
    const { below, ids, levels } = await planCopy(database, root, { longest: 10_000, giveWay });
    expect([below.length, new Set(ids.values()).size, levels]).toEqual([
      LEVELS + SIBLINGS,
      1 + LEVELS + SIBLINGS,
      1 + LEVELS,
    ]);
    expect(pauses).toBeGreaterThan(below.length / 100);
    const short = planCopy(database, root, { longest: LEVELS + SIBLINGS + 1, giveWay });
    await expect(short).rejects.toMatchObject({ code: 'folder_too_large' });
  });

  test('are counted', async () => {
    const usage = await folderUsage(database, { id: 'root', workspaceId: 'w' });
    expect(usage).toEqual({ usedBytes: 4, fileCount: 1, folderCount: LEVELS + SIBLINGS });
  });
});
