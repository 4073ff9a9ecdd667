import { expect, test } from 'bun:test';
import { DATABASES, freshDatabase, withClock } from '../../../../test/harness/database.ts';
import { addFileRow } from '../../../../test/harness/storage-rows.ts';
import { HOUR } from '../../../kernel/clock.ts';
import { firstIdAt, newId } from '../../../kernel/ids.ts';
import { memberOf } from '../member.ts';
import { createQuota } from '../quota.ts';
import { createRows } from '../rows.ts';
import { createTrashSpace } from '../trash/space.ts';
import { createWorkspaces } from '../workspaces.ts';
import { createFiles } from './files.ts';

test.each(DATABASES)('ids of new and copied files have the time of the database on %s', async (kind) => {
  const now = Date.now() + HOUR;
  const clock = { now: () => now };
  const database = withClock(await freshDatabase(kind), clock);
  const [workspaceBytes, trashDays] = [1_000, 7];
  const rows = createRows(database);
  const files = createFiles({
    database,
    clock,
    vault: { seal: () => '', open: () => '' } as never,
    quota: createQuota({ database, clock, workspaceBytes, owner: 'test' }),
    trashSpace: createTrashSpace({ database, workspaceBytes, trashDays, versionDays: 30 }),
    rows,
    hasRenditions: () => false,
    async secretsChanged() {},
    changed() {},
  });
  const workspaces = createWorkspaces({ database, clock, limits: { workspaceBytes, trashDays } });
  const { id, rootFolderId } = await database.transaction((trx) =>
    workspaces.create(trx, { name: 'team', personal: false, accountId: 'ann' }),
  );
  const ann = memberOf('ann', 'editor');
  const fileId = await addFileRow(database, { workspace_id: id, folder_id: rootFolderId });
  const folder = await rows.findFolder(database.read, ann, rootFolderId);
  const file = await files.find(database.read, ann, fileId);
  const copy = await database.transaction((trx) =>
    files.copy(trx, file, folder, { onConflict: 'rename', by: 'ann' }),
  );
  const added = await database.transaction((trx) =>
    files.add(trx, {
      folder,
      originalName: 'added',
      onConflict: 'rename',
      content: { ...file, blobKey: newId() },
      visibility: undefined,
      passwordHash: null,
      withAccessKey: false,
      reservationId: null,
      by: 'ann',
    }),
  );
  for (const created of [copy, added]) {
    expect(created.id >= firstIdAt(now)).toBe(true);
    expect(created.id < firstIdAt(now + 1)).toBe(true);
  }
});
