import { beforeEach, describe, expect, test } from 'bun:test';
import { DATABASES, emptyDatabase } from '../../../../test/harness/database.ts';
import { folderDeps } from '../../../../test/harness/folder-deps.ts';
import { analyze } from '../../../../test/harness/many-rows.ts';
import { addFileRow, addPersonal, addTeam } from '../../../../test/harness/storage-rows.ts';
import type { Database } from '../../../kernel/database/database.ts';
import { newId } from '../../../kernel/ids.ts';
import { fromRow } from '../files/file.ts';
import { memberOf } from '../member.ts';
import { createTrash, type Trash } from '../trash/trash.ts';
import { restoreTree } from '../trash/trees.ts';
import { depthOf, MAX_COUNTED, MAX_DEPTH, MAX_SUBFOLDERS } from './bounds.ts';
import type { FolderDeps } from './changes.ts';
import type { Folder } from './folder.ts';
import { createFolders, type Folders } from './folders.ts';

/** Levels of a folder that fits exactly below one of this depth. */
const LEVELS = 40;
const DEEP = MAX_DEPTH - LEVELS;

const OWNER = 'owner';
const member = memberOf(OWNER, 'manager');
const tooDeep = { code: 'folder_too_deep' };

describe.each(DATABASES)('bounds of folders on %s', (kind) => {
  let database: Database;
  let folders: Folders;
  let deps: FolderDeps;
  let trash: Trash;
  let root: Folder;

  beforeEach(async () => {
    database = await emptyDatabase(kind);
    await addPersonal(database, OWNER);
    deps = folderDeps(database, 2 ** 40);
    folders = createFolders(deps);
    trash = createTrash(deps);
    root = await find('root');
    await analyze(database, 'folders');
  });

  const find = (id: string) => folders.find(database.read, member, id);
  const create = (parent: Folder, name: string) =>
    database.transaction((trx) => folders.create(trx, parent, name, OWNER));
  const move = (folder: Folder, parent: Folder) =>
    database.transaction((trx) => folders.change(trx, folder, { parent, onConflict: 'fail', by: OWNER }));
  const copy = (folder: Folder, target: Folder) =>
    folders.copy(folder, target, { by: OWNER, onConflict: 'fail' });
  const remove = (folder: Folder) =>
    trash.removeFolder(async () => folder, { isRecursive: true, deletedBy: OWNER });
  const restore = ({ id }: Folder) => trash.restore(member, id, 'fail');
  const depth = ({ id }: Folder) => depthOf(database.read, id);
  const team = async () => await find((await addTeam(database, OWNER)).rootFolderId);

  /** Creates folders inside each other, without checks; returns them, the highest first. */
  async function chain(parent: Folder, levels: number): Promise<Folder[]> {
    const line: Folder[] = [];
    for (let level = 0; level < levels; level++) {
      const name = `level ${level}`;
      const parentId: string = line.at(-1)?.id ?? parent.id;
      line.push({ id: newId(), workspaceId: parent.workspaceId, parentId, name, dateCreated: level });
    }
    const rows = line.map((folder) => ({
      id: folder.id,
      workspace_id: folder.workspaceId,
      parent_id: folder.parentId,
      name: folder.name,
      name_key: folder.name,
      date_created: folder.dateCreated,
    }));
    await database.transaction((trx) => trx.insertInto('folders').values(rows).execute());
    return line;
  }
  /** Creates subfolders of a folder, without checks. */
  async function fill(parent: Folder, count: number, name = 'wide'): Promise<void> {
    const rows = Array.from({ length: count }, (_, index) => ({
      id: newId(),
      workspace_id: parent.workspaceId,
      parent_id: parent.id,
      name: `${name} ${index}`,
      name_key: `${name} ${index}`,
      date_created: 0,
    }));
    await database.transaction(async (trx) => {
      for (let at = 0; at < rows.length; at += 1_000)
        await trx
          .insertInto('folders')
          .values(rows.slice(at, at + 1_000))
          .execute();
    });
  }
  const at = (line: Folder[], index: number): Folder => line.at(index) ?? root;

  test('a folder is created at the greatest depth, and not below it', async () => {
    const line = await chain(root, MAX_DEPTH - 1);
    const last = await create(at(line, -1), 'last');
    expect(await depth(last)).toBe(MAX_DEPTH);
    await expect(create(last, 'beyond')).rejects.toMatchObject(tooDeep);
    expect(await folders.children(last)).toEqual([]);
  });

  test('a move counts the levels of the moved folder', async () => {
    const line = await chain(root, DEEP);
    const top = await create(root, 'top');
    await chain(top, LEVELS);
    await expect(move(top, at(line, DEEP - 1))).rejects.toMatchObject(tooDeep);
    expect(await find(top.id)).toMatchObject({ parentId: root.id });
    await move(top, at(line, DEEP - 2));
    await expect(move(top, at(line, DEEP - 1))).rejects.toMatchObject(tooDeep);
    await expect(move(at(line, 0), top)).rejects.toMatchObject({ code: 'folder_cycle' });
    await move(top, root);
  });

  test('a move to another workspace counts them too', async () => {
    const line = await chain(await team(), DEEP);
    const top = await create(root, 'top');
    await chain(top, LEVELS);
    const moveAcross = (parent: Folder) => folders.moveAcross(top, { parent, onConflict: 'fail', by: OWNER });
    await expect(moveAcross(at(line, DEEP - 1))).rejects.toMatchObject(tooDeep);
    expect(await find(top.id)).toMatchObject({ parentId: root.id });
    expect(await depth(await moveAcross(at(line, DEEP - 2)))).toBe(DEEP);
  });

  test('a copy counts them too, and fails when it is moved deeper meanwhile', async () => {
    const line = await chain(root, DEEP);
    const top = await create(root, 'top');
    await chain(top, LEVELS);
    await expect(copy(top, at(line, DEEP - 1))).rejects.toMatchObject(tooDeep);
    expect(await folders.children(at(line, DEEP - 1))).toEqual([]);
    const copied = await copy(top, at(line, DEEP - 2));
    expect(await folders.usage(copied)).toMatchObject({ folderCount: LEVELS });
    await remove(copied);
    let transactions = 0;
    const transaction: Database['transaction'] = async (work) => {
      const result = await database.transaction(work);
      if (++transactions === 1) {
        const [begun = root] = (await folders.children(at(line, 0))).filter(({ name }) => name === 'top');
        await move(begun, at(line, DEEP - 1));
      }
      return result;
    };
    const copying = createFolders({ ...deps, database: { ...database, transaction } });
    const late = copying.copy(top, at(line, 0), { by: OWNER, onConflict: 'fail' });
    await expect(late).rejects.toMatchObject(tooDeep);
    expect(await folders.children(at(line, DEEP - 1))).toEqual([]);
  });

  test('a folder is not restored into folders that were moved too deep for it', async () => {
    const line = await chain(root, DEEP);
    const place = await create(root, 'place');
    const top = await create(place, 'top');
    await chain(top, LEVELS);
    await remove(top);
    await move(place, at(line, DEEP - 2));
    await expect(restore(top)).rejects.toMatchObject(tooDeep);
    expect((await trash.list({ id: root.workspaceId }, { limit: 10 })).entries).toMatchObject([
      { id: top.id },
    ]);
    await move(place, at(line, DEEP - 3));
    await restore(top);
    expect(await depth(top)).toBe(DEEP);
  });

  test('the folders above a file are not created again too deep', async () => {
    const line = await chain(root, MAX_DEPTH - 10);
    const place = await create(root, 'place');
    const inner = await chain(place, 20);
    await addFileRow(database, { workspace_id: root.workspaceId, folder_id: at(inner, -1).id });
    const row = await database.read.selectFrom('files').selectAll().executeTakeFirstOrThrow();
    await database.transaction((trx) => trash.removeFile(trx, fromRow(row), OWNER));
    await remove(at(inner, 0));
    await move(place, at(line, MAX_DEPTH - 11));
    await expect(trash.restore(member, row.id, 'fail')).rejects.toMatchObject(tooDeep);
    await move(place, at(line, MAX_DEPTH - 30));
    const { folderId } = await trash.restore(member, row.id, 'fail');
    expect(await depthOf(database.read, folderId)).toBe(MAX_DEPTH - 8);
  });

  test('a folder is not moved deeper while a restore in the workspace is incomplete', async () => {
    const [other = root] = await chain(root, 1);
    const rest = await create(root, 'rest');
    await fill(rest, 1_100);
    await remove(rest);
    await database.transaction(async (trx) => {
      const tree = await trx
        .selectFrom('trash_trees')
        .selectAll()
        .where('id', '=', rest.id)
        .executeTakeFirstOrThrow();
      await restoreTree(trx, deps, tree, 'fail');
    });
    await expect(move(rest, other)).rejects.toMatchObject({ code: 'unavailable' });
    await trash.completeLeftovers();
    await move(rest, other);
    expect(await folders.usage(await find(rest.id))).toMatchObject({ folderCount: 1_100 });
  });

  test('a folder of too many folders is neither moved nor restored to a lower level', async () => {
    const [high = root, low = root] = await chain(root, 2);
    const place = await create(root, 'place');
    const top = await create(place, 'top');
    await fill(await create(top, 'one'), MAX_SUBFOLDERS);
    await fill(await create(top, 'two'), MAX_COUNTED - MAX_SUBFOLDERS - 2);
    await move(top, high);
    await move(top, low);
    await move(top, place);
    await create(top, 'one more');
    await expect(move(top, low)).rejects.toMatchObject(tooDeep);
    await remove(top);
    await move(place, high);
    await expect(restore(top)).rejects.toMatchObject(tooDeep);
  });

  test('a folder whose name is taken while it is restored gets another', async () => {
    const rest = await create(root, 'rest');
    await fill(rest, 1_100);
    await remove(rest);
    await database.transaction(async (trx) => {
      const trees = trx.selectFrom('trash_trees').selectAll();
      await restoreTree(trx, deps, await trees.executeTakeFirstOrThrow(), 'fail');
    });
    const left = await database.read
      .selectFrom('trash_folders')
      .select(['id', 'name'])
      .executeTakeFirstOrThrow();
    await create(rest, left.name);
    await trash.completeLeftovers();
    expect(await find(left.id)).toMatchObject({ name: `${left.name} (2)` });
    expect(await folders.usage(rest)).toMatchObject({ folderCount: 1_101 });
  });

  test('a folder has a bounded number of subfolders', async () => {
    const full = await create(root, 'full');
    const other = await create(root, 'other');
    const deleted = await create(full, 'deleted');
    await remove(deleted);
    await fill(full, MAX_SUBFOLDERS - 1);
    const last = await create(full, 'last');
    const isFull = { code: 'folder_full' };
    await expect(create(full, 'beyond')).rejects.toMatchObject(isFull);
    await expect(move(other, full)).rejects.toMatchObject(isFull);
    await expect(copy(other, full)).rejects.toMatchObject(isFull);
    await expect(restore(deleted)).rejects.toMatchObject(isFull);
    const foreign = await create(await team(), 'foreign');
    const across = folders.moveAcross(foreign, { parent: full, onConflict: 'fail', by: OWNER });
    await expect(across).rejects.toMatchObject(isFull);
    expect(await folders.children(full)).toHaveLength(MAX_SUBFOLDERS);
    await move(last, root);
    await restore(deleted);
    await fill(full, 1, 'earlier version');
    await expect(copy(full, other)).rejects.toMatchObject(isFull);
    expect(await folders.children(other)).toEqual([]);
  });

  test('nothing is put below a folder that is being moved to the trash', async () => {
    const rest = await create(root, 'rest');
    const inner = await create(rest, 'inner');
    const other = await create(root, 'other');
    await database.transaction((trx) => trx.deleteFrom('folders').where('id', '=', rest.id).execute());
    const gone = { code: 'not_found' };
    await expect(create(inner, 'new')).rejects.toMatchObject(gone);
    await expect(move(other, inner)).rejects.toMatchObject(gone);
    await expect(copy(other, inner)).rejects.toMatchObject(gone);
    expect(await folders.children(inner)).toEqual([]);
  });

  test('folders that are deeper already are read, moved up, deleted and restored', async () => {
    const line = await chain(root, MAX_DEPTH + 20);
    const last = at(line, -1);
    expect(await folders.path(last)).toHaveLength(MAX_DEPTH + 21);
    const named = await database.transaction((trx) =>
      folders.change(trx, last, { name: 'last', parent: at(line, -2), onConflict: 'fail', by: OWNER }),
    );
    expect(named).toMatchObject({ name: 'last', parentId: at(line, -2).id });
    await expect(move(last, at(line, MAX_DEPTH + 1))).rejects.toMatchObject(tooDeep);
    await remove(last);
    const { entries } = await trash.list({ id: root.workspaceId }, { limit: 10 });
    const names = line.slice(0, -1).map(({ name }) => name);
    expect(entries.map(({ path }) => path)).toEqual([names.slice(-100)]);
    await restore(last);
    await remove(at(line, 1));
    await restore(at(line, 1));
    expect(await folders.path(last)).toHaveLength(MAX_DEPTH + 21);
    await move(at(line, 1), root);
    await move(last, at(line, 3));
    expect(await depth(last)).toBe(4);
  });

  test('a new name leaves a folder where another request has moved it', async () => {
    const first = await create(root, 'first');
    const second = await create(root, 'second');
    await move(second, first);
    await database.transaction((trx) =>
      folders.change(trx, second, { name: 'new', onConflict: 'fail', by: OWNER }),
    );
    expect(await find(second.id)).toMatchObject({ name: 'new', parentId: first.id });
  });
});
