import { expect, test } from 'bun:test';
import { DATABASES, freshDatabase, withClock } from '../../../../test/harness/database.ts';
import { folderDeps } from '../../../../test/harness/folder-deps.ts';
import { addFileRow, addTeam } from '../../../../test/harness/storage-rows.ts';
import { HOUR } from '../../../kernel/clock.ts';
import { firstIdAt, newId } from '../../../kernel/ids.ts';
import { memberOf } from '../member.ts';
import { createFiles } from './files.ts';

test.each(DATABASES)('ids of new and copied files have the time of the database on %s', async (kind) => {
  const now = Date.now() + HOUR;
  const clock = { now: () => now };
  const database = withClock(await freshDatabase(kind), clock);
  const deps = folderDeps(database, 1_000, clock);
  const files = createFiles({
    ...deps,
    vault: { seal: () => '', open: () => '' } as never,
    hasRenditions: () => false,
    async secretsChanged() {},
  });
  const { id, rootFolderId } = await addTeam(database, 'ann');
  const ann = memberOf('ann', 'editor');
  const fileId = await addFileRow(database, { workspace_id: id, folder_id: rootFolderId });
  const folder = await deps.rows.findFolder(database.read, ann, rootFolderId);
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
