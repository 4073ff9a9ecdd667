import { beforeEach, describe, expect, test } from 'bun:test';
import { DATABASES, emptyDatabase, isLockAwaited } from '../../../../test/harness/database.ts';
import { folderDeps } from '../../../../test/harness/folder-deps.ts';
import { fillFiles } from '../../../../test/harness/many-rows.ts';
import { addTeam } from '../../../../test/harness/storage-rows.ts';
import { until } from '../../../../test/harness/until.ts';
import type { Database, Transaction } from '../../../kernel/database/database.ts';
import { newId } from '../../../kernel/ids.ts';
import { fromRow } from '../files/file.ts';
import { placeFile } from '../files/placement.ts';
import { memberOf } from '../member.ts';
import type { Quota } from '../quota.ts';
import { createTrash, type Trash } from '../trash/trash.ts';
import type { FolderDeps } from './changes.ts';
import { createCopyFolder } from './copies.ts';
import type { Folder } from './folder.ts';
import { createFolders, type Folders } from './folders.ts';

/** In ten folders of 100 files each; one transaction copies 200. */
const FILES = 1_000;
const BYTES = 10;
/** Batches of files that are copied before the copy fails. */
const BATCHES = 4;
const OWNER = 'owner';
const member = memberOf(OWNER, 'manager');
const options = { by: OWNER, onConflict: 'fail' as const };

describe.each(DATABASES)('a copy of a folder that fails on %s', (kind) => {
  let database: Database;
  let folders: Folders;
  let deps: FolderDeps;
  let quota: Quota;
  let trash: Trash;
  let target: Folder;
  let other: Folder;

  beforeEach(async () => {
    database = await emptyDatabase(kind);
    await fillFiles(database, FILES);
    deps = folderDeps(database, 2 ** 40);
    quota = deps.quota;
    folders = createFolders(deps);
    trash = createTrash(deps);
    [target, other] = [await team(), await team()];
  });

  const team = async () => await find((await addTeam(database, OWNER)).rootFolderId);
  const find = (id: string) => folders.find(database.read, member, id);
  const create = (parent: Folder, name: string) =>
    database.transaction((trx) => folders.create(trx, parent, name, OWNER));
  const change = (folder: Folder, to: { parent?: Folder; name?: string }) =>
    database.transaction((trx) => folders.change(trx, folder, { ...options, ...to }));
  const fileCount = async (folder: Folder) => (await folders.usage(folder)).fileCount;

  /** Copies the folder `one` until `meanwhile` has returned, which gets the copy and the folders in it. */
  async function copyBeside(meanwhile: (copy: Folder, inner: Folder[]) => Promise<void>): Promise<void> {
    let batches = 0;
    const spend: Quota['spend'] = async (...spent) => {
      if (batches++ === BATCHES) throw new Error('failed');
      await quota.spend(...spent);
    };
    let isBegun = false;
    let isDone = false;
    const transaction: Database['transaction'] = async (work) => {
      const result = await database.transaction(work);
      if (batches === BATCHES && !isBegun) {
        isBegun = true;
        const [copy = target] = await folders.children(target);
        const inner = (await folders.children(copy)).sort((a, b) => a.name.localeCompare(b.name));
        await meanwhile(copy, inner);
        isDone = true;
      }
      return result;
    };
    const copy = createCopyFolder({
      ...deps,
      database: Object.create(database, { transaction: { value: transaction } }) as Database,
      quota: { ...quota, spend },
    });
    await expect(copy(await find('one'), target, options)).rejects.toThrow();
    expect(isDone).toBe(true);
    expect(await database.read.selectFrom('folder_copies').selectAll().execute()).toEqual([]);
  }

  /** Returns a folder of the copy that has its files, and these. */
  async function filled(inner: readonly Folder[], index: number) {
    for (const folder of inner) {
      const query = database.read.selectFrom('files').selectAll().where('folder_id', '=', folder.id);
      const files = (await query.execute()).map(fromRow);
      if (files.length > 0 && index-- === 0) return { folder, files };
    }
    throw new Error('too few folders have files');
  }
  const placeFirst = async (folder: Folder, to: Folder, name: string) => {
    const { files } = await filled([folder], 0);
    const content = { ...deps, hasRenditions: () => false };
    for (const file of files.slice(0, 1))
      await database.transaction((trx) => placeFile(trx, content, file, { ...options, folder: to, name }));
  };
  async function insertLink(trx: Transaction, of: { folder?: Folder; fileId?: string }): Promise<void> {
    const id = newId();
    await trx
      .insertInto('links')
      .values({
        ...{ id, token: id, workspace_id: target.workspaceId, access: 'view', date_created: 0 },
        folder_id: of.folder?.id ?? null,
      })
      .execute();
    if (of.fileId !== undefined)
      await trx.insertInto('link_files').values({ link_id: id, file_id: of.fileId }).execute();
  }
  /** Checks that the used bytes of the workspace are those of its files. */
  async function requireSums(): Promise<void> {
    const { used_bytes } = await database.read
      .selectFrom('workspaces')
      .select('used_bytes')
      .where('id', '=', target.workspaceId)
      .executeTakeFirstOrThrow();
    const files = await database.read
      .selectFrom('files')
      .select('id')
      .where('workspace_id', '=', target.workspaceId)
      .where('deleted_at', 'is', null)
      .execute();
    expect(used_bytes).toBe(files.length * BYTES);
  }

  test('keeps the files that others have moved, linked or deleted', async () => {
    const keep = await create(target, 'keep');
    await copyBeside(async (copy, inner) => {
      const { folder, files } = await filled(inner, 0);
      const { folder: second } = await filled(inner, 1);
      await placeFirst(folder, keep, 'moved away');
      await placeFirst(folder, second, 'moved inside');
      await placeFirst(folder, copy, 'moved up');
      const [linked, deleted] = files.slice(-2);
      if (!linked || !deleted) throw new Error('a folder with files');
      await database.transaction((trx) => insertLink(trx, { fileId: linked.id }));
      await database.transaction((trx) => trash.removeFile(trx, deleted, OWNER));
    });
    const rows = await database.read
      .selectFrom('files')
      .innerJoin('folders', 'folders.id', 'files.folder_id')
      .leftJoin('link_files', 'file_id', 'files.id')
      .select(['original_name', 'folders.name', 'files.deleted_at', 'link_id'])
      .where('files.workspace_id', '=', target.workspaceId)
      .execute();
    const named = rows.map((row) =>
      row.link_id ? 'linked' : row.deleted_at ? 'deleted' : row.original_name,
    );
    expect(named.sort()).toEqual(['deleted', 'linked', 'moved away', 'moved inside', 'moved up']);
    const [left = target] = (await folders.children(target)).filter(({ id }) => id !== keep.id);
    expect(await folders.children(left)).toHaveLength(2);
    await requireSums();
  });

  test('keeps the folders that others have moved, named or linked, with all files', async () => {
    const keep = await create(target, 'keep');
    await copyBeside(async (_, inner) => {
      await change((await filled(inner, 0)).folder, { parent: keep });
      await change((await filled(inner, 1)).folder, { name: 'named' });
      await change((await filled(inner, 2)).folder, { parent: (await filled(inner, 3)).folder });
      const linked = (await filled(inner, 4)).folder;
      await database.transaction((trx) => insertLink(trx, { folder: linked }));
      const empty = inner.at(-1) ?? target;
      expect(await fileCount(empty)).toBe(0);
      await change(empty, { parent: keep });
    });
    expect(await folders.usage(keep)).toMatchObject({ fileCount: 100, folderCount: 2 });
    const [left = target] = (await folders.children(target)).filter(({ id }) => id !== keep.id);
    // The named one, the linked one, and the one into which another was moved.
    expect(await folders.children(left)).toHaveLength(3);
    expect(await folders.usage(left)).toMatchObject({ fileCount: 300, folderCount: 4 });
    await requireSums();
  });

  test('is deleted in another place of its workspace, with another name', async () => {
    const keep = await create(target, 'keep');
    await copyBeside(async (copy) => void (await change(copy, { parent: keep, name: 'named' })));
    expect(await folders.usage(target)).toMatchObject({ fileCount: 0, folderCount: 1 });
    await requireSums();
  });

  test('stays with all files when others have linked it, moved it to another workspace or deleted it', async () => {
    await copyBeside((copy) => database.transaction((trx) => insertLink(trx, { folder: copy })));
    const [linked = target] = await folders.children(target);
    expect(await folders.usage(linked)).toMatchObject({ fileCount: BATCHES * 200, folderCount: 10 });
    await requireSums();
    await folders.moveAcross(linked, { ...options, name: 'linked', parent: other });
    await copyBeside(async (copy) => {
      await folders.moveAcross(copy, { ...options, parent: other });
    });
    expect(await fileCount(other)).toBe(2 * BATCHES * 200);
    await copyBeside((copy) => trash.removeFolder(async () => copy, { isRecursive: true, deletedBy: OWNER }));
    const { entries } = await trash.list({ id: target.workspaceId }, { limit: 10 });
    expect(entries).toMatchObject([{ name: 'folder one', fileCount: BATCHES * 200 }]);
    await requireSums();
  });

  // SQLite runs one transaction at a time.
  test.if(kind === 'postgres')('waits for a link that is being created', async () => {
    let linking: Promise<void> | undefined;
    await copyBeside(async (_, inner) => {
      const { files } = await filled(inner, 0);
      const linked = Promise.withResolvers<void>();
      linking = database.transaction(async (trx) => {
        for (const { id } of files.slice(0, 1)) await insertLink(trx, { fileId: id });
        linked.resolve();
        await until(() => isLockAwaited(database));
      });
      await linked.promise;
    });
    await linking;
    const links = await database.read.selectFrom('link_files').select('file_id').execute();
    expect(links).toHaveLength(1);
    expect(await fileCount(target)).toBe(1);
  });
});
