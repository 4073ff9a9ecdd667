import { beforeEach, describe, expect, test } from 'bun:test';
import { DATABASES, freshDatabase } from '../../../test/harness/database.ts';
import { fillFiles } from '../../../test/harness/many-rows.ts';
import { systemClock } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/database/database.ts';
import { createFolders, type Folders } from './folders.ts';
import { memberOf } from './member.ts';
import { createQuota } from './quota.ts';
import { createTrashSpace } from './trash-space.ts';

const FILES = 5_000;
const BYTES = 10;
const OWNER = 'owner';
const member = memberOf(OWNER, 'manager');

describe.each(DATABASES)('the removal of a folder of many files on %s', (kind) => {
  let database: Database;
  let folders: Folders;

  beforeEach(async () => {
    database = await freshDatabase(kind);
    await fillFiles(database, FILES);
    await database.transaction((trx) =>
      trx
        .updateTable('workspaces')
        .set({ used_bytes: FILES * BYTES })
        .execute(),
    );
    folders = foldersWithin(FILES * BYTES);
  });

  function foldersWithin(workspaceBytes: number): Folders {
    const trashSpace = createTrashSpace({ database, workspaceBytes });
    const quota = createQuota({ database, clock: systemClock, workspaceBytes, owner: 'test' });
    return createFolders({ database, clock: systemClock, quota, trashSpace });
  }
  const remove = (id: string) =>
    database.transaction(async (trx) => folders.remove(trx, await folders.find(trx, member, id), true));
  const sums = async () => {
    const { used_bytes, trash_bytes, erased_bytes } = await database.read
      .selectFrom('workspaces')
      .selectAll()
      .executeTakeFirstOrThrow();
    return [used_bytes, trash_bytes, erased_bytes];
  };
  const timesOfDeletion = async () =>
    (
      await database.read
        .selectFrom('files')
        .select('deleted_at')
        .distinct()
        .where('deleted_at', 'is not', null)
        .execute()
    ).length;

  test('takes several transactions, of which the first hides the folder, and can be completed later', async () => {
    const root = await folders.find(database.read, member, 'root');
    expect(await remove('rest')).toBe(true);
    await expect(folders.find(database.read, member, 'rest')).rejects.toMatchObject({ code: 'not_found' });
    expect((await folders.children(root)).map(({ id }) => id)).toEqual(['one']);
    expect(await folders.usage(root)).toMatchObject({ fileCount: 1000 });
    const [used = 0, trash = 0] = await sums();
    expect(used).toBeGreaterThan(1000 * BYTES);
    expect(used + trash).toBe(FILES * BYTES);
    await database.transaction((trx) => folders.create(trx, root, 'folder rest', OWNER));
    await folders.completeRemovals();
    expect(await sums()).toEqual([1000 * BYTES, 4000 * BYTES, 0]);
    expect(await timesOfDeletion()).toBe(1);
    const left = await database.read.selectFrom('folders').select('id').execute();
    expect(left).toHaveLength(1 + 11 + 1);
  });

  test('of few files takes one transaction', async () => {
    expect(await remove('one1')).toBe(false);
    expect(await sums()).toEqual([(FILES - 100) * BYTES, 100 * BYTES, 0]);
  });

  test('counts right when its trash is erased before it is complete', async () => {
    expect(await remove('rest')).toBe(true);
    folders = foldersWithin(100 * BYTES);
    await remove('one1');
    await folders.completeRemovals();
    expect(await sums()).toEqual([900 * BYTES, 100 * BYTES, 4000 * BYTES]);
  });
});
