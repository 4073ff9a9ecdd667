import { beforeEach, describe, expect, test } from 'bun:test';
import { DATABASES, emptyDatabase } from '../../../../test/harness/database.ts';
import { folderDeps } from '../../../../test/harness/folder-deps.ts';
import { fillFiles } from '../../../../test/harness/many-rows.ts';
import type { Database } from '../../../kernel/database/database.ts';
import type { Changed } from '../changes.ts';
import { isRooted } from '../folders/above.ts';
import type { FolderDeps } from '../folders/changes.ts';
import { createFolders, type Folders } from '../folders/folders.ts';
import { memberOf } from '../member.ts';
import { createTrash, type Trash } from './trash.ts';
import { removeTree, restoreTree } from './trees.ts';

/** 1,000 in the folder `one`, the others in `rest`: more than one transaction moves. */
const FILES = 2_500;
const REST = FILES - 1_000;
const BYTES = 10;
const OWNER = 'owner';
const member = memberOf(OWNER, 'manager');
const options = { isRecursive: true, deletedBy: OWNER };

describe.each(DATABASES)('a folder of many files that is moved to the trash on %s', (kind) => {
  let database: Database;
  let folders: Folders;
  let deps: FolderDeps;
  let trash: Trash;
  let workspaceId: string;

  beforeEach(async () => {
    database = await emptyDatabase(kind);
    ({ workspaceId } = await fillFiles(database, FILES));
    await database.transaction((trx) =>
      trx
        .updateTable('workspaces')
        .set({ used_bytes: FILES * BYTES })
        .execute(),
    );
    limitTo(FILES * BYTES);
    folders = createFolders(deps);
  });

  function limitTo(workspaceBytes: number): void {
    deps = folderDeps(database, workspaceBytes);
    trash = createTrash(deps);
  }
  const find = (id: string) => folders.find(database.read, member, id);
  const remove = (id: string) => trash.removeFolder((reader) => folders.find(reader, member, id), options);
  /** Removes a folder by its first transaction only, as a process that is killed then. */
  const begin = async (id: string) => {
    const folder = await find(id);
    await database.transaction((trx) => removeTree(trx, deps, folder, options));
  };
  const restore = (id: string) => trash.restore(member, id, 'rename');
  const sums = async () => {
    const { used_bytes, trash_bytes, erased_bytes } = await database.read
      .selectFrom('workspaces')
      .selectAll()
      .executeTakeFirstOrThrow();
    return [used_bytes, trash_bytes, erased_bytes];
  };
  const foldersLeft = async () => (await database.read.selectFrom('folders').select('id').execute()).length;
  const entries = async () => (await trash.list({ id: workspaceId }, { limit: 10 })).entries;

  test('is hidden by the first of several transactions, completed later, and one entry', async () => {
    const root = await find('root');
    await begin('rest');
    await expect(find('rest')).rejects.toMatchObject({ code: 'not_found' });
    expect((await folders.children(root)).map(({ id }) => id)).toEqual(['one']);
    expect(await folders.usage(root)).toMatchObject({ fileCount: 1000 });
    const [used = 0, bytes = 0] = await sums();
    expect(used).toBeGreaterThan(1000 * BYTES);
    expect(used + bytes).toBe(FILES * BYTES);
    const later = await database.read
      .selectFrom('files')
      .select(['folder_id'])
      .where('deleted_at', 'is', null)
      .where('folder_id', 'like', 'rest%')
      .executeTakeFirstOrThrow();
    expect(await isRooted(database.read, later.folder_id)).toBe(false);
    await trash.completeLeftovers();
    expect(await sums()).toEqual([1000 * BYTES, REST * BYTES, 0]);
    expect(await entries()).toMatchObject([
      { id: 'rest', fileCount: REST, sizeBytes: REST * BYTES, path: [] },
    ]);
    expect(await foldersLeft()).toBe(1 + 11);
  });

  test('publishes its last batch, whichever process moves it', async () => {
    const published: (string | null)[] = [];
    const seen: ReturnType<typeof sums>[] = [];
    const changed: Changed = (trx, _, folderId) =>
      database.afterCommit(trx, () => {
        published.push(folderId);
        seen.push(sums());
      });
    const other = createTrash({ ...deps, changed });
    await begin('rest');
    await other.completeLeftovers();
    expect([published.at(-1), (await Promise.all(seen)).at(-1)]).toEqual([null, await sums()]);
    await database.transaction(async (trx) => {
      const tree = await trx.selectFrom('trash_trees').selectAll().executeTakeFirstOrThrow();
      await restoreTree(trx, deps, tree, 'fail');
    });
    await other.completeLeftovers();
    expect([published.at(-1), (await Promise.all(seen)).at(-1)]).toEqual(['rest', await sums()]);
  });

  test('is restored completely next to a folder that has its name now', async () => {
    const before = await database.read.selectFrom('files').selectAll().orderBy('id').execute();
    await begin('rest');
    await database.transaction(async (trx) => folders.create(trx, await find('root'), 'folder rest', OWNER));
    expect(await restore('rest')).toMatchObject({ kind: 'folder', name: 'folder rest (2)' });
    expect(await sums()).toEqual([FILES * BYTES, 0, 0]);
    expect(await database.read.selectFrom('files').selectAll().orderBy('id').execute()).toEqual(before);
    expect(await folders.usage(await find('rest'))).toMatchObject({ fileCount: REST, folderCount: 2 });
    expect(await entries()).toEqual([]);
    await expect(restore('rest')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('is restored once by two requests, and not at all when it no longer fits', async () => {
    await remove('rest');
    limitTo((FILES - 1) * BYTES);
    await expect(restore('rest')).rejects.toMatchObject({ code: 'quota_exceeded' });
    expect(await sums()).toEqual([1000 * BYTES, REST * BYTES, 0]);
    limitTo(FILES * BYTES);
    const results = await Promise.allSettled([restore('rest'), restore('rest')]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await sums()).toEqual([FILES * BYTES, 0, 0]);
  });

  test('waits for another folder, and both are complete', async () => {
    await begin('rest');
    await remove('one1');
    expect(await sums()).toEqual([900 * BYTES, (REST + 100) * BYTES, 0]);
    expect(await entries()).toMatchObject([{ id: 'one1', path: ['folder one'] }, { id: 'rest' }]);
  });

  test('delays other changes of the trash for a limited time', async () => {
    await remove('one1');
    await begin('rest');
    const impatient = createTrash(deps, 0);
    for (const change of [
      () => impatient.erase(member, 'one1'),
      () => impatient.restore(member, 'one1', 'rename'),
      () => impatient.empty(async () => ({ id: workspaceId })),
    ])
      await expect(change()).rejects.toMatchObject({ code: 'unavailable' });
    expect(await entries()).toHaveLength(2);
    await trash.erase(member, 'one1');
    expect(await entries()).toMatchObject([{ id: 'rest', fileCount: REST }]);
  });

  test('delays other changes, which are refused to members that leave meanwhile', async () => {
    await remove('one1');
    const file = await database.read
      .selectFrom('files')
      .select('id')
      .where('trash_id', '=', 'one1')
      .limit(1)
      .executeTakeFirstOrThrow();
    await begin('rest');
    /** Ends the membership after the entry was found. */
    const transaction: Database['transaction'] = async (work) => {
      await database.transaction((trx) =>
        trx.updateTable('memberships').set({ account_id: 'another' }).execute(),
      );
      return await database.transaction(work);
    };
    const waiting = createTrash({
      ...deps,
      database: Object.create(database, { transaction: { value: transaction } }) as Database,
    });
    for (const change of [
      () => waiting.erase(member, 'one1'),
      () => waiting.restore(member, 'one1', 'rename'),
      () => waiting.restoreFile(member, file.id, 'rename'),
      () => waiting.empty((reader) => folders.find(reader, member, 'root').then(() => ({ id: workspaceId }))),
    ]) {
      await database.transaction((trx) =>
        trx.updateTable('memberships').set({ account_id: OWNER }).execute(),
      );
      await expect(change()).rejects.toMatchObject({ code: 'not_found' });
    }
    expect(await entries()).toHaveLength(2);
  });

  test('is restored into a new folder when its own is deleted', async () => {
    await remove('one1');
    await remove('one');
    expect(await entries()).toMatchObject([
      { id: 'one', fileCount: 900 },
      { id: 'one1', fileCount: 100 },
    ]);
    const { folderId } = await restore('one1');
    expect(await find(folderId)).toMatchObject({ name: 'folder one' });
    expect(await restore('one')).toMatchObject({ name: 'folder one (2)' });
    expect(await sums()).toEqual([FILES * BYTES, 0, 0]);
  });

  test('is counted correctly when its trash is erased before the move is complete', async () => {
    await begin('rest');
    limitTo(100 * BYTES);
    await remove('one1');
    expect(await sums()).toEqual([900 * BYTES, 100 * BYTES, REST * BYTES]);
    expect(await entries()).toMatchObject([{ id: 'one1' }]);
  });

  test('becomes an entry when an older program, without trees, began its removal', async () => {
    await database.transaction((trx) =>
      trx.updateTable('folders').set({ deleted_at: Date.now() }).where('id', '=', 'rest').execute(),
    );
    await trash.completeLeftovers();
    expect(await entries()).toMatchObject([{ id: 'rest', fileCount: REST }]);
  });
});
