import { expect, test } from 'bun:test';
import { freshDirectory } from '../../../test/harness/backends.ts';
import { DATABASES, freshDatabase, withClock } from '../../../test/harness/database.ts';
import { folderDeps } from '../../../test/harness/folder-deps.ts';
import { addBlob, addFileRow, addTeam } from '../../../test/harness/storage-rows.ts';
import { DAY, SECOND } from '../../kernel/clock.ts';
import { createHolds } from '../../kernel/leases/holds.ts';
import { openLocalBlobs } from '../blobs/local.ts';
import { createSharedWorkspaces } from '../teams/shared-workspaces.ts';
import { memberOf } from '../tree/member.ts';
import { createTrash } from '../tree/trash/trash.ts';
import { createWorkspaces } from '../tree/workspaces.ts';
import { createCollector } from './collector.ts';
import { createWorkspaceEraser } from './workspace-eraser.ts';

test.each(DATABASES)('a deleted workspace is erased after the days of the trash on %s', async (kind) => {
  const clock = { at: Date.now(), now: () => clock.at };
  const database = withClock(await freshDatabase(kind), clock);
  const blobs = openLocalBlobs(freshDirectory());
  const trashDays = 7;
  const deps = folderDeps(database, 1_000, clock);
  const holds = createHolds({ database, clock });
  const collector = createCollector({ ...deps, blobs, holds, trashDays, versionDays: 30 });
  const erase = createWorkspaceEraser({ database, trash: createTrash(deps), trashDays });

  const [gone, kept] = [await addTeam(database, 'a', 'gone'), await addTeam(database, 'a', 'kept')];
  for (const { id, rootFolderId } of [gone, kept]) {
    const key = await addBlob(blobs, Buffer.alloc(4));
    await addFileRow(database, { workspace_id: id, folder_id: rootFolderId, blob_key: key, size_bytes: 4 });
  }
  await database.transaction((trx) =>
    trx
      .updateTable('workspaces')
      .set(({ eb }) => ({
        used_bytes: 4,
        date_deleted: eb.case().when('id', '=', gone.id).then(clock.at).end(),
      }))
      .execute(),
  );

  async function run(): Promise<[workspaces: string[], blobs: number]> {
    await erase();
    await collector.collect();
    clock.at += SECOND;
    await collector.collect();
    await erase();
    const rows = await database.read.selectFrom('workspaces').select('name').orderBy('name').execute();
    return [rows.map(({ name }) => name), (await Array.fromAsync(blobs.list())).length];
  }
  clock.at += trashDays * DAY - 2 * SECOND;
  expect(await run()).toEqual([['gone', 'kept'], 2]);
  clock.at += SECOND;
  expect(await run()).toEqual([['kept'], 1]);
  const members = await database.read.selectFrom('memberships').select('workspace_id').execute();
  expect(members).toEqual([{ workspace_id: kept.id }]);
});

test.each(DATABASES)(
  'a workspace restored before its erasure locks it keeps its content on %s',
  async (kind) => {
    const clock = { at: Date.now(), now: () => clock.at };
    const database = withClock(await freshDatabase(kind), clock);
    const trashDays = 7;
    const trash = createTrash(folderDeps(database, 1_000, clock));
    const { id, rootFolderId } = await addTeam(database, 'a');
    await addFileRow(database, { workspace_id: id, folder_id: rootFolderId, size_bytes: 4 });
    const setDeleted = (date_deleted: number | null) =>
      database.transaction((trx) => trx.updateTable('workspaces').set({ date_deleted }).execute());
    await setDeleted(clock.at - trashDays * DAY);

    await createWorkspaceEraser({
      database,
      trash: {
        async eraseAll(...args) {
          await setDeleted(null);
          await trash.eraseAll(...args);
        },
      },
      trashDays,
    })();
    const files = await database.read.selectFrom('files').select(['folder_id', 'deleted_at']).execute();
    expect(files).toEqual([{ folder_id: rootFolderId, deleted_at: null }]);
    const folders = await database.read.selectFrom('folders').select(['id', 'deleted_at']).execute();
    expect(folders).toEqual([{ id: rootFolderId, deleted_at: null }]);
  },
);

test.each(DATABASES)('a workspace whose erasure is due is not restored on %s', async (kind) => {
  const clock = { at: Date.now(), now: () => clock.at };
  const database = withClock(await freshDatabase(kind), clock);
  const limits = { workspaceBytes: 1_000, trashDays: 7 };
  const workspaces = createWorkspaces({ database, clock, limits });
  const shared = createSharedWorkspaces({
    database,
    workspaces: {
      ...workspaces,
      async findDeleted(...args) {
        const found = await workspaces.findDeleted(...args);
        // As for a request that waits for the lock of the eraser.
        clock.at += SECOND;
        return found;
      },
    },
    creators: 'everyone',
    changed() {},
  });
  const { id } = await addTeam(database, 'a');
  const restoreAt = async (at: number) => {
    await database.transaction((trx) => trx.updateTable('workspaces').set({ date_deleted: 0 }).execute());
    clock.at = at;
    return await database.transaction((trx) => shared.restore(trx, memberOf('a', 'manager'), id));
  };
  await expect(restoreAt(7 * DAY - SECOND)).rejects.toMatchObject({ code: 'not_found' });
  expect(await restoreAt(7 * DAY - 2 * SECOND)).toMatchObject({ id, dateErased: null });
});
