import { expect, test } from 'bun:test';
import type { Insertable } from 'kysely';
import { freshDirectory } from '../../../test/harness/backends.ts';
import { DATABASES, freshDatabase } from '../../../test/harness/database.ts';
import { addFileRow, addFolderRow, addWorkspace } from '../../../test/harness/storage-rows.ts';
import { systemClock } from '../../kernel/clock.ts';
import type { Transaction } from '../../kernel/database/database.ts';
import { Unavailable } from '../../kernel/errors/unavailable.ts';
import { createHolds } from '../../kernel/leases/holds.ts';
import { openLocalBlobs } from '../blobs/local.ts';
import { BlobMissing, type Blobs } from '../blobs/port.ts';
import type { FilesTable } from '../tables.ts';
import { checkStorage } from './check.ts';

/** Of the file `deleted`, which is in another workspace. */
const VERSION = {
  id: 'version',
  file_id: 'deleted',
  workspace_id: 'b',
  blob_key: 'key',
  size_bytes: 0,
  mime_type: 'text/plain',
  sha256: '',
  crc32: 0,
  date_created: 0,
  date_replaced: 0,
};

test.each(DATABASES)(
  'a damaged file that moves while it is read leaves the sums correct on %s',
  async (kind) => {
    const database = await freshDatabase(kind);
    await addWorkspace(database, { id: 'from', used_bytes: 4 });
    await addWorkspace(database, { id: 'to' });
    await addFileRow(database, { workspace_id: 'from', size_bytes: 4 });
    const move = (trx: Transaction) =>
      Promise.all([
        trx.updateTable('files').set({ workspace_id: 'to' }).execute(),
        trx.updateTable('workspaces').set({ used_bytes: 0 }).where('id', '=', 'from').execute(),
        trx.updateTable('workspaces').set({ used_bytes: 4 }).where('id', '=', 'to').execute(),
      ]);
    const read: Blobs['read'] = async (key) => {
      await database.transaction(move);
      throw new BlobMissing(key);
    };
    const blobs = { ...openLocalBlobs(freshDirectory()), read };
    const holds = createHolds({ database, clock: systemClock });
    const check = () => checkStorage({ database, blobs, clock: systemClock, holds }, true);
    expect(await check()).toMatchObject({ missing: [{ workspaceId: 'from' }], miscounted: [] });
    expect(await check()).toMatchObject({ missing: [{ workspaceId: 'to' }], miscounted: [] });
  },
);

test.each(DATABASES)('nothing is moved to the trash when blobs cannot be listed, on %s', async (kind) => {
  const database = await freshDatabase(kind);
  await addWorkspace(database, { id: 'w', used_bytes: 4 });
  await addFileRow(database, { workspace_id: 'w', size_bytes: 4 });
  const blobs: Blobs = {
    ...openLocalBlobs(freshDirectory()),
    read: (key) => Promise.reject(new BlobMissing(key)),
    // biome-ignore lint/correctness/useYield: it fails before the first blob
    async *list() {
      throw new Unavailable('blobs', 'the store is away');
    },
  };
  const holds = createHolds({ database, clock: systemClock });
  const check = checkStorage({ database, blobs, clock: systemClock, holds }, true);
  await expect(check).rejects.toBeInstanceOf(Unavailable);
  const row = await database.read.selectFrom('files').select('deleted_at').executeTakeFirstOrThrow();
  expect(row.deleted_at).toBeNull();
});

test.each(DATABASES)(
  'rows of other workspaces than their folder, and cycles of folders, are found on %s',
  async (kind) => {
    const database = await freshDatabase(kind);
    for (const id of ['a', 'b']) {
      await addWorkspace(database, { id, root_folder_id: `root ${id}` });
      await addFolderRow(database, { id: `root ${id}`, workspace_id: id, parent_id: null });
    }
    const holds = createHolds({ database, clock: systemClock });
    const blobs: Blobs = {
      ...openLocalBlobs(freshDirectory()),
      read: (key) => Promise.reject(new BlobMissing(key)),
    };
    const found = async () => {
      const { strays, circles } = await checkStorage({ database, blobs, clock: systemClock, holds }, false);
      return [strays.sort(), circles.sort()];
    };
    const folder = (id: string, workspaceId: string, parentId: string, moveId: string | null = null) =>
      addFolderRow(database, { id, workspace_id: workspaceId, parent_id: parentId, move_id: moveId });
    const file = (id: string, folderId: string, row: Partial<Insertable<FilesTable>> = {}) =>
      addFileRow(database, { id, workspace_id: 'a', folder_id: folderId, size_bytes: 0, ...row });

    await folder('moving', 'b', 'root b', 'move');
    await folder('left behind', 'a', 'moving');
    await file('file left behind', 'moving');
    await file('deleted', 'root b', { deleted_at: 1 });
    await folder('below a folder that is being deleted', 'a', 'gone');
    expect(await found()).toEqual([[], []]);

    await folder('stray', 'a', 'root b');
    await file('stray file', 'root b');
    await database.transaction((trx) => trx.insertInto('file_versions').values(VERSION).execute());
    await folder('one', 'a', 'two');
    await folder('two', 'a', 'one');
    await folder('below', 'a', 'two');
    await folder('itself', 'a', 'itself');
    expect(await found()).toEqual([
      ['stray', 'stray file', 'version'],
      ['below', 'itself', 'one', 'two'],
    ]);
  },
);
