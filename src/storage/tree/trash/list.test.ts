import { describe, expect, test } from 'bun:test';
import { DATABASES, freshDatabase } from '../../../../test/harness/database.ts';
import { addFileRow, addWorkspace } from '../../../../test/harness/storage-rows.ts';
import { newId } from '../../../kernel/ids.ts';
import { listTrash } from './list.ts';
import { createTrashSpace } from './space.ts';

const ENTRIES = 20;
/** 300 folders with the longest names. */
const LONGEST = JSON.stringify(Array.from({ length: 300 }, () => ({ id: newId(), name: 'n'.repeat(255) })));

describe.each(DATABASES)('a page of the trash on %s', (kind) => {
  test('has fewer entries when their places are long, and the pages together have all entries', async () => {
    const database = await freshDatabase(kind);
    await addWorkspace(database, { id: 'w', trash_bytes: ENTRIES * 8 });
    const ids: string[] = [];
    for (let index = 0; index < ENTRIES; index++) {
      const file = { workspace_id: 'w', deleted_at: Date.now() - index, place: LONGEST };
      ids.push(await addFileRow(database, file));
      const { deleted_at, place } = file;
      const tree = { id: newId(), workspace_id: 'w', name: 'tree', deleted_at, place };
      ids.push(tree.id);
      await database.transaction((trx) =>
        trx
          .insertInto('trash_trees')
          .values({ ...tree, size_bytes: 4, file_count: 1, state: 'kept' })
          .execute(),
      );
    }
    const trashSpace = createTrashSpace({ database, workspaceBytes: 1e6, trashDays: 7, versionDays: 30 });
    const found: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const { entries, nextCursor } = await listTrash({ database, trashSpace }, 'w', { limit: 1000, cursor });
      expect(entries.length).toBeWithin(1, 14);
      found.push(...entries.map(({ id }) => id));
      if (nextCursor === null) break;
      cursor = nextCursor;
    }
    expect(found.toSorted()).toEqual(ids.toSorted());
  });
});
