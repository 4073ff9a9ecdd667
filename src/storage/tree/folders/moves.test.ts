import { beforeEach, describe, expect, test } from 'bun:test';
import { sql } from 'kysely';
import { DATABASES, emptyDatabase } from '../../../../test/harness/database.ts';
import { folderDeps } from '../../../../test/harness/folder-deps.ts';
import { fillFiles } from '../../../../test/harness/many-rows.ts';
import { addFileRow, addTeam } from '../../../../test/harness/storage-rows.ts';
import { until } from '../../../../test/harness/until.ts';
import type { Database, Transaction } from '../../../kernel/database/database.ts';
import { newId } from '../../../kernel/ids.ts';
import { Problem } from '../../../kernel/problem.ts';
import type { Changed } from '../changes.ts';
import { fromRow, type StoredFile } from '../files/file.ts';
import { placeFile } from '../files/placement.ts';
import { lockWorkspace } from '../lock.ts';
import { memberOf } from '../member.ts';
import type { Quota } from '../quota.ts';
import { eraseFile } from '../trash/files.ts';
import { createTrash, type Trash } from '../trash/trash.ts';
import { createFindDeleted } from '../trash/tree.ts';
import { eraseTree } from '../trash/trees.ts';
import type { FolderDeps } from './changes.ts';
import { createCopyFolder } from './copies.ts';
import type { Folder } from './folder.ts';
import { createFolders, type Folders } from './folders.ts';
import { beginMove } from './moves.ts';

/** 1,000 in the folder `one`, the others in `rest`: more than one transaction moves. */
const FILES = 2_500;
const REST = FILES - 1_000;
const BYTES = 10;
const OWNER = 'owner';
const member = memberOf(OWNER, 'manager');
const QUOTA = FILES * BYTES;
const options = { by: OWNER, onConflict: 'fail' as const };

describe.each(DATABASES)('folders of many files between workspaces on %s', (kind) => {
  let database: Database;
  let folders: Folders;
  let deps: FolderDeps;
  let quota: Quota;
  let trash: Trash;
  let target: Folder;

  beforeEach(async () => {
    database = await emptyDatabase(kind);
    const { workspaceId } = await fillFiles(database, FILES);
    await database.transaction((trx) => trx.updateTable('workspaces').set({ used_bytes: QUOTA }).execute());
    deps = folderDeps(database, QUOTA);
    quota = deps.quota;
    folders = createFolders(deps);
    trash = createTrash(deps);
    const team = await addTeam(database, OWNER);
    expect(team.id).not.toBe(workspaceId);
    target = await folders.find(database.read, member, team.rootFolderId);
  });

  const find = (id: string) => folders.find(database.read, member, id);

  /** Compares the sums of all workspaces with their files; returns the used bytes, the largest first. */
  async function used(): Promise<number[]> {
    const workspaces = await database.read.selectFrom('workspaces').select(['id', 'used_bytes']).execute();
    for (const { id, used_bytes } of workspaces) {
      const { bytes } = await database.read
        .selectFrom('files')
        .select((of) => of.fn.sum<number | null>('size_bytes').as('bytes'))
        .where('workspace_id', '=', id)
        .executeTakeFirstOrThrow();
      expect(bytes ?? 0).toBe(used_bytes);
    }
    return workspaces.map(({ used_bytes }) => used_bytes).sort((a, b) => b - a);
  }

  /** Returns the number of files and folders in another workspace than their folder. */
  async function strays(): Promise<number> {
    const { count } = await database.read
      .selectFrom('files')
      .innerJoin('folders', 'folders.id', 'files.folder_id')
      .select((of) => of.fn.countAll<number>().as('count'))
      .whereRef('folders.workspace_id', '!=', 'files.workspace_id')
      .executeTakeFirstOrThrow();
    return count;
  }
  const reservations = () => database.read.selectFrom('reservations').selectAll().execute();
  const setQuota = (bytes: number) =>
    database.transaction((trx) =>
      trx.updateTable('workspaces').set({ max_bytes: bytes }).where('id', '=', target.workspaceId).execute(),
    );

  test('a move takes several transactions, and can be completed later', async () => {
    const rest = await find('rest');
    const move = { ...options, parent: target, name: 'moved', bytes: REST * BYTES };
    const begun = await database.transaction((trx) => beginMove(trx, deps, rest, move));
    expect(begun).toEqual({ name: 'moved', isPartial: true });
    const moved = await find('rest');
    expect([moved.workspaceId, moved.name]).toEqual([target.workspaceId, 'moved']);
    const [most = 0, least = 0] = await used();
    expect([most + least, least > 0, least < REST * BYTES]).toEqual([QUOTA, true, true]);
    const remove = () => trash.removeFolder(async () => moved, { isRecursive: true, deletedBy: OWNER });
    await expect(remove()).rejects.toMatchObject({ code: 'unavailable' });
    const next = folders.moveAcross(await find('one'), { ...options, parent: target });
    await expect(next).rejects.toMatchObject({ code: 'unavailable' });
    await folders.completeMoves();
    expect(await used()).toEqual([REST * BYTES, 1_000 * BYTES]);
    expect([await strays(), (await reservations()).length]).toEqual([0, 0]);
    expect(await folders.usage(moved)).toMatchObject({ fileCount: REST });
    await remove();
    expect(await find('rest').catch(({ code }) => code)).toBe('not_found');
  });

  test('a move publishes its last batch in both workspaces, whichever process moves it', async () => {
    const source = (await find('rest')).workspaceId;
    const usedOf = async (id: string) => {
      const workspaces = database.read.selectFrom('workspaces').select('used_bytes').where('id', '=', id);
      return (await workspaces.executeTakeFirstOrThrow()).used_bytes;
    };
    const seen: [workspaceId: string, used: Promise<number>][] = [];
    const published: (string | null)[] = [];
    const changed: Changed = (trx, workspaceId, folderId) =>
      database.afterCommit(trx, () => {
        published.push(folderId);
        seen.push([workspaceId, usedOf(workspaceId)]);
      });
    await beginMoveOfRest(await create('rest1', 'inner'));
    await createFolders({ ...deps, changed }).completeMoves();
    const last = new Map(await Promise.all(seen.map(async ([id, used]) => [id, await used] as const)));
    expect([last.get(source), last.get(target.workspaceId)]).toEqual([1_000 * BYTES, REST * BYTES]);
    expect(published).toContain('rest1');
  });

  test('a line of folders moves in several transactions, since each level takes several queries', async () => {
    const top = await create('root', 'top');
    let deepest = top;
    for (let level = 0; level < 30; level++) deepest = await create(deepest.id, 'inner');
    const move = { ...options, parent: target, name: 'moved', bytes: 0 };
    const begun = await database.transaction((trx) => beginMove(trx, deps, top, move));
    expect([begun.isPartial, (await find(deepest.id)).workspaceId]).toEqual([true, top.workspaceId]);
    await folders.completeMoves();
    expect((await find(deepest.id)).workspaceId).toBe(target.workspaceId);
  });

  test('links to a folder move with it, in several transactions', async () => {
    const empty = await create('root', 'empty');
    const links = Array.from({ length: 600 }, () => {
      const id = newId();
      return { id, token: id, workspace_id: empty.workspaceId, folder_id: empty.id, access: 'view' as const };
    });
    await database.transaction((trx) =>
      trx
        .insertInto('links')
        .values(links.map((link) => ({ ...link, date_created: 0 })))
        .execute(),
    );
    const moved = async () => {
      const { count } = await database.read
        .selectFrom('links')
        .select((of) => of.fn.countAll<number>().as('count'))
        .where('workspace_id', '=', target.workspaceId)
        .executeTakeFirstOrThrow();
      return count;
    };
    const move = { ...options, parent: target, name: 'moved', bytes: 0 };
    const begun = await database.transaction((trx) => beginMove(trx, deps, empty, move));
    expect([begun.isPartial, await moved()]).toEqual([true, 500]);
    await folders.completeMoves();
    expect([await moved(), (await reservations()).length]).toEqual([600, 0]);
  });

  test('versions move with their files, in several transactions', async () => {
    const folder = await create('root', 'versioned');
    for (let file = 0; file < 30; file++) {
      const row = { workspace_id: folder.workspaceId, folder_id: folder.id, size_bytes: 0 };
      const file_id = await addFileRow(database, { ...row, name_key: `${file}` });
      const versions = Array.from({ length: 20 }, () => ({
        ...{ id: newId(), file_id, workspace_id: folder.workspaceId, blob_key: newId(), size_bytes: 0 },
        ...{ mime_type: 'text/plain', sha256: '', crc32: 0, date_created: 0, date_replaced: 0 },
      }));
      await database.transaction((trx) => trx.insertInto('file_versions').values(versions).execute());
    }
    const moved = async () => {
      const { count } = await database.read
        .selectFrom('file_versions')
        .select((of) => of.fn.countAll<number>().as('count'))
        .where('workspace_id', '=', target.workspaceId)
        .executeTakeFirstOrThrow();
      return count;
    };
    const move = { ...options, parent: target, name: 'moved', bytes: 0 };
    const begun = await database.transaction((trx) => beginMove(trx, deps, folder, move));
    expect([begun.isPartial, await moved()]).toEqual([true, 460]);
    await folders.completeMoves();
    expect([await moved(), await strays()]).toEqual([600, 0]);
  });

  test('a move requires the space of all files before it begins', async () => {
    await setQuota(REST * BYTES - 1);
    await expect(
      folders.moveAcross(await find('rest'), { ...options, parent: target }),
    ).rejects.toMatchObject({
      code: 'quota_exceeded',
    });
    await setQuota(REST * BYTES);
    await folders.moveAcross(await find('rest'), { ...options, parent: target });
    expect(await used()).toEqual([REST * BYTES, 1_000 * BYTES]);
    const root = await find('root');
    await expect(folders.moveAcross(root, { ...options, parent: target })).rejects.toMatchObject({
      code: 'root_folder',
    });
  });

  /** Begins to move the folder `rest`, and leaves it incomplete. Returns a folder in it that has not moved yet. */
  async function beginMoveOfRest(inner: Folder): Promise<Folder> {
    const rest = await find('rest');
    const move = { ...options, parent: target, name: 'moved', bytes: REST * BYTES };
    const { isPartial } = await database.transaction((trx) => beginMove(trx, deps, rest, move));
    const left = await find(inner.id);
    expect([isPartial, left.workspaceId]).toEqual([true, rest.workspaceId]);
    return left;
  }
  const create = async (parentId: string, name: string) => {
    const parent = await find(parentId);
    return await database.transaction((trx) => folders.create(trx, parent, name, OWNER));
  };

  test('a folder is restored only once its place has moved, and leaves nothing behind', async () => {
    const inner = await create('rest1', 'inner');
    const deleted = await create(inner.id, 'deleted');
    await trash.removeFolder(async () => deleted, { isRecursive: true, deletedBy: OWNER });
    await beginMoveOfRest(inner);
    await expect(trash.restore(member, deleted.id, 'rename')).rejects.toMatchObject({ code: 'unavailable' });
    await folders.completeMoves();
    const { folderId } = await trash.restore(member, deleted.id, 'rename');
    expect((await find(folderId)).workspaceId).toBe((await find('root')).workspaceId);
    const rows = await database.read.selectFrom('folders').selectAll().execute();
    const workspaceOf = new Map(rows.map(({ id, workspace_id }) => [id, workspace_id]));
    const stray = rows.filter(
      (row) => row.parent_id !== null && workspaceOf.get(row.parent_id) !== row.workspace_id,
    );
    expect(stray).toEqual([]);
  });

  test('a folder cannot be moved into one inside it, whatever its workspace is', async () => {
    const inner = await create('rest1', 'inner');
    await database.transaction((trx) =>
      trx
        .updateTable('folders')
        .set({ workspace_id: target.workspaceId })
        .where('id', '=', inner.id)
        .execute(),
    );
    const move = folders.moveAcross(await find('rest'), { ...options, parent: await find(inner.id) });
    await expect(move).rejects.toMatchObject({ code: 'folder_cycle' });
  });

  test('while a folder moves, what is left of it shows no folder of the other workspace', async () => {
    const inner = await create('rest1', 'inner');
    await database.transaction(async (trx) => {
      const first = trx.selectFrom('files').select('id').where('folder_id', '=', 'one1').limit(1);
      await trx.updateTable('files').set({ folder_id: inner.id }).where('id', 'in', first).execute();
    });
    const left = await beginMoveOfRest(inner);
    expect(await folders.path(left)).toEqual([{ id: inner.id, name: 'inner' }]);
    const [row] = await database.read
      .selectFrom('files')
      .selectAll()
      .where('folder_id', '=', inner.id)
      .execute();
    if (row) await database.transaction((trx) => trash.removeFile(trx, fromRow(row), OWNER));
    const { place } = await database.read
      .selectFrom('files')
      .select('place')
      .where('folder_id', '=', inner.id)
      .executeTakeFirstOrThrow();
    expect(place).toBe(JSON.stringify([{ id: inner.id, name: 'inner' }]));
  });

  test('what moved to the trash of another workspace is not erased by a request that found it before', async () => {
    const row = await database.read
      .selectFrom('files')
      .selectAll()
      .where('folder_id', '=', 'rest1')
      .limit(1)
      .executeTakeFirstOrThrow();
    const file = fromRow(row);
    const content = { ...deps, hasRenditions: () => false };
    const removeFile = (found: StoredFile) =>
      database.transaction((trx) => trash.removeFile(trx, found, OWNER));
    const removeOne = () =>
      trash.removeFolder((reader) => folders.find(reader, member, 'one'), {
        isRecursive: true,
        deletedBy: OWNER,
      });
    await removeOne();
    await removeFile(file);
    const found = await createFindDeleted(database).entry(database.read, member, 'one');
    await trash.restore(member, 'one', 'fail');
    await trash.restore(member, file.id, 'fail');
    await folders.moveAcross(await find('one'), { ...options, parent: target });
    await removeFile(
      await database.transaction((trx) => placeFile(trx, content, file, { ...options, folder: target })),
    );
    await removeOne();
    const gone = { code: 'not_found' };
    await expect(database.transaction((trx) => eraseFile(trx, deps, file))).rejects.toMatchObject(gone);
    await expect(
      database.transaction(async (trx) => {
        if ('tree' in found) await eraseTree(trx, deps, found.tree);
      }),
    ).rejects.toMatchObject(gone);
    expect((await trash.list({ id: target.workspaceId }, { limit: 10 })).entries).toHaveLength(2);
  });

  // SQLite runs one transaction at a time.
  test.if(kind === 'postgres')('a batch waits for changes of the workspace that it moves from', async () => {
    await beginMoveOfRest(await create('rest1', 'inner'));
    const { workspaceId } = await find('one');
    let completion: Promise<string> | undefined;
    await database.transaction(async (trx) => {
      await lockWorkspace(database, trx, workspaceId);
      completion = folders.completeMoves().then(() => 'completed');
      const isBlocked = async () => {
        const { rows } = await sql`select 1 from pg_locks where not granted`.execute(database.read);
        return rows.length > 0;
      };
      const blocked = until(isBlocked).then(() => 'blocked');
      expect(await Promise.race([blocked, completion])).toBe('blocked');
    });
    expect(await completion).toBe('completed');
    expect([await used(), await strays()]).toEqual([[REST * BYTES, 1_000 * BYTES], 0]);
  });

  test('a copy that fails keeps the files that others have changed in it', async () => {
    const change = async (trx: Transaction) => {
      const first = trx
        .selectFrom('files')
        .select('id')
        .where('workspace_id', '=', target.workspaceId)
        .limit(1);
      await trx.updateTable('files').set({ modified_by: 'another' }).where('id', 'in', first).execute();
    };
    /** Changes a file after each transaction of the copy. */
    const transaction: Database['transaction'] = async (work) => {
      const result = await database.transaction(work);
      await database.transaction(change);
      return result;
    };
    let batches = 0;
    const spend: Quota['spend'] = async (...spent) => {
      if (batches++ > 0) throw new Problem('quota_exceeded', 'no space');
      await quota.spend(...spent);
    };
    const copy = createCopyFolder({
      ...deps,
      database: Object.create(database, { transaction: { value: transaction } }) as Database,
      quota: { ...quota, spend },
    });
    await expect(copy(await find('rest'), target, options)).rejects.toMatchObject({ code: 'quota_exceeded' });
    expect(await folders.usage(target)).toMatchObject({ fileCount: 1 });
    expect(await used()).toEqual([QUOTA, BYTES]);
  });

  test('a copy has new rows for all files, and the same blobs', async () => {
    const one = await find('one');
    const copy = await folders.copy(one, target, options);
    expect([copy.name, copy.workspaceId, copy.parentId]).toEqual([
      'folder one',
      target.workspaceId,
      target.id,
    ]);
    expect(await folders.usage(copy)).toEqual(await folders.usage(one));
    expect(await used()).toEqual([QUOTA, 1_000 * BYTES]);
    const { blobs, rows, tokens } = await database.read
      .selectFrom('files')
      .select((of) => [
        of.fn.countAll<number>().as('rows'),
        of.fn.count<number>('blob_key').distinct().as('blobs'),
        of.fn.count<number>('direct_token').distinct().as('tokens'),
      ])
      .executeTakeFirstOrThrow();
    expect([rows, blobs, tokens]).toEqual([FILES + 1_000, FILES, FILES + 1_000]);
    await expect(folders.copy(one, target, options)).rejects.toMatchObject({ code: 'name_taken' });
    const second = await folders.copy(await find('one'), target, { ...options, onConflict: 'rename' });
    expect(second.name).toBe('folder one (2)');
    // Into itself.
    const inner = await folders.copy(one, one, options).catch((error) => error.code);
    expect(inner).toBe('quota_exceeded');
  });

  test('a copy has a maximum length', async () => {
    const copy = createCopyFolder(deps, 1_000);
    await expect(copy(await find('one'), target, options)).rejects.toMatchObject({
      code: 'folder_too_large',
    });
  });

  test('a copy that fails leaves nothing', async () => {
    const one = await find('one');
    await setQuota(1_000 * BYTES - 1);
    await expect(folders.copy(one, target, options)).rejects.toMatchObject({ code: 'quota_exceeded' });
    expect(await used()).toEqual([QUOTA, 0]);
    expect(await folders.children(target)).toEqual([]);
    await setQuota(1_000 * BYTES);
    const both = await Promise.allSettled([
      folders.copy(one, target, options),
      folders.copy(await find('rest'), target, options),
    ]);
    expect(both[1]).toMatchObject({ reason: { code: 'rate_limited' } });
    expect(await folders.usage(target)).toMatchObject({ fileCount: 1_000 });
  });

  test('a copy that is refused at its beginning removes nothing', async () => {
    const one = await find('one');
    await database.transaction((trx) => folders.create(trx, target, one.name, OWNER));
    let transactions = 0;
    const transaction: Database['transaction'] = async (work) => {
      transactions++;
      return await database.transaction(work);
    };
    const counted = Object.create(database, { transaction: { value: transaction } }) as Database;
    const copy = createCopyFolder({ ...deps, database: counted });
    await expect(copy(one, target, options)).rejects.toMatchObject({ code: 'name_taken' });
    expect(transactions).toBe(1);
  });

  /** Returns a copy of the folder `one` whose process is killed after a batch of files. */
  async function incompleteCopy(): Promise<Folder> {
    let batches = 0;
    /** Fails from the second batch of files on, as for a process that is killed. */
    const transaction: Database['transaction'] = async (work) => {
      if (batches > 1) throw new Error('killed');
      return await database.transaction(work);
    };
    const spend: Quota['spend'] = async (...spent) => {
      if (batches++ > 0) throw new Error('killed');
      await quota.spend(...spent);
    };
    const copy = createCopyFolder({
      ...deps,
      database: Object.create(database, { transaction: { value: transaction } }) as Database,
      quota: { ...quota, spend },
    });
    await expect(copy(await find('one'), target, options)).rejects.toThrow('killed');
    const [left = target] = await folders.children(target);
    return left;
  }
  const endLease = () =>
    database.transaction((trx) => trx.updateTable('folder_copies').set({ lease_until: 0 }).execute());

  test('a copy that its process leaves incomplete is moved to the trash', async () => {
    const left = await incompleteCopy();
    const { usedBytes, fileCount } = await folders.usage(left);
    expect([left.name, fileCount > 0, fileCount < 1_000]).toEqual(['folder one', true, true]);
    await trash.completeLeftovers();
    // It may still be running.
    expect(await folders.children(target)).toEqual([left]);
    await endLease();
    await trash.completeLeftovers();
    expect(await folders.children(target)).toEqual([]);
    const sums = await database.read
      .selectFrom('workspaces')
      .select(['used_bytes', 'trash_bytes'])
      .where('id', '=', target.workspaceId)
      .executeTakeFirstOrThrow();
    expect(sums).toEqual({ used_bytes: 0, trash_bytes: usedBytes });
    await trash.restore(member, left.id, 'keep');
    expect(await folders.usage(left)).toMatchObject({ usedBytes, fileCount });
    await folders.copy(await find('one'), target, { ...options, onConflict: 'rename' });
    expect(await database.read.selectFrom('folder_copies').selectAll().execute()).toEqual([]);
  });

  test('a copy left incomplete is erased from the trash before what was deleted earlier', async () => {
    const content = { ...deps, hasRenditions: () => false };
    const row = await database.read
      .selectFrom('files')
      .selectAll()
      .where('folder_id', 'like', 'rest%')
      .limit(1)
      .executeTakeFirstOrThrow();
    await database.transaction(async (trx) => {
      const file = await placeFile(trx, content, fromRow(row), { ...options, folder: target });
      await trash.removeFile(trx, file, OWNER);
    });
    const left = await incompleteCopy();
    await setQuota((await folders.usage(left)).usedBytes);
    await endLease();
    await trash.completeLeftovers();
    const { entries } = await trash.list({ id: target.workspaceId }, { limit: 10 });
    expect(entries.map(({ id }) => id)).toEqual([row.id]);
  });

  test('a copy fails when one of its folders is deleted meanwhile, and leaves no file without a folder', async () => {
    const top = await database.transaction(async (trx) => {
      const created = await folders.create(trx, await find('root'), 'top', OWNER);
      await trx.updateTable('folders').set({ parent_id: created.id }).where('id', '=', 'one').execute();
      return created;
    });
    let removal: Promise<void> | undefined;
    async function removeInner(): Promise<void> {
      const [copy = target] = await folders.children(target);
      const [inner = target] = await folders.children(copy);
      await trash.removeFolder(() => Promise.resolve(inner), { isRecursive: true, deletedBy: OWNER });
    }
    const spend: Quota['spend'] = async (...spent) => {
      await quota.spend(...spent);
      removal ??= removeInner();
    };
    const copy = createCopyFolder({ ...deps, quota: { ...quota, spend } });
    await expect(copy(top, target, options)).rejects.toMatchObject({ code: 'not_found' });
    await removal;
    const lost = await database.read
      .selectFrom('files')
      .select('id')
      .where('deleted_at', 'is', null)
      .where('folder_id', 'not in', (from) => from.selectFrom('folders').select('id'))
      .execute();
    expect(lost).toEqual([]);
    expect(await folders.children(target)).toEqual([]);
    expect(await reservations()).toEqual([]);
  });

  test.each([
    ['source', null, 'not_found'],
    ['source', 'viewer', 'role_insufficient'],
    ['target', null, 'not_found'],
    ['target', 'viewer', 'role_insufficient'],
  ] as const)('a member without the rights in the %s moves nothing', async (where, role, code) => {
    const [one, rest] = [await find('one'), await find('rest')];
    const { workspaceId } = where === 'source' ? one : target;
    await database.transaction((trx) =>
      trx
        .updateTable('memberships')
        .set(role === null ? { account_id: 'another' } : { role })
        .where('account_id', '=', OWNER)
        .where('workspace_id', '=', workspaceId)
        .execute(),
    );
    const refused = { code };
    await expect(folders.moveAcross(one, { ...options, parent: target })).rejects.toMatchObject(refused);
    const file = await database.read.selectFrom('files').selectAll().limit(1).executeTakeFirstOrThrow();
    const content = { ...deps, hasRenditions: () => false };
    const place = database.transaction((trx) =>
      placeFile(trx, content, fromRow(file), { ...options, folder: target }),
    );
    await expect(place).rejects.toMatchObject(refused);
    if (where === 'target') return;
    const change = database.transaction((trx) => folders.change(trx, one, { ...options, parent: rest }));
    await expect(change).rejects.toMatchObject(refused);
  });

  test.each([
    ['source', null, 'not_found'],
    ['target', 'viewer', 'role_insufficient'],
  ] as const)('a copy ends when its member loses the rights in its %s', async (where, role, code) => {
    const one = await find('one');
    const { workspaceId } = where === 'source' ? one : target;
    const spend: Quota['spend'] = async (trx, ...spent) => {
      await quota.spend(trx, ...spent);
      await trx
        .updateTable('memberships')
        .set(role === null ? { account_id: 'another' } : { role })
        .where('account_id', '=', OWNER)
        .where('workspace_id', '=', workspaceId)
        .execute();
    };
    const copy = createCopyFolder({ ...deps, quota: { ...quota, spend } });
    await expect(copy(one, target, options)).rejects.toMatchObject({ code });
    expect(await folders.children(target)).toEqual([]);
    expect(await used()).toEqual([QUOTA, 0]);
  });

  test('a copy that fails keeps the folders that others have created in it', async () => {
    let batches = 0;
    const spend: Quota['spend'] = async (trx, ...spent) => {
      if (batches++ > 0) throw new Error('failed');
      const [copy = target] = await folders.children(target);
      await folders.create(trx, copy, 'of others', OWNER);
      await quota.spend(trx, ...spent);
    };
    const copy = createCopyFolder({ ...deps, quota: { ...quota, spend } });
    await expect(copy(await find('one'), target, options)).rejects.toThrow('failed');
    const [left = target, ...more] = await folders.children(target);
    expect([left.name, more]).toEqual(['folder one', []]);
    const kept = await folders.children(left);
    expect(kept.map(({ name }) => name)).toContain('of others');
    expect(await folders.usage(target)).toMatchObject({ fileCount: 0 });
    expect(await used()).toEqual([QUOTA, 0]);
  });

  test('a copy keeps the structure of folders that are older than those above them', async () => {
    const middle = await database.transaction(async (trx) => {
      const created = await folders.create(trx, await find('one'), 'middle', OWNER);
      await trx
        .updateTable('folders')
        .set({ parent_id: created.id, date_created: 0 })
        .where('id', '=', 'rest')
        .execute();
      return created;
    });
    const one = await find('one');
    const copy = await folders.copy(one, target, options);
    expect(await folders.usage(copy)).toEqual(await folders.usage(one));
    const middleCopy = (await folders.children(copy)).find(({ name }) => name === middle.name);
    expect(await folders.children(middleCopy ?? target)).toMatchObject([{ name: 'folder rest' }]);
  });
});
