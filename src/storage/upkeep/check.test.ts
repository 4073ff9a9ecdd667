import { expect, test } from 'bun:test';
import { freshDirectory } from '../../../test/harness/backends.ts';
import { DATABASES, freshDatabase } from '../../../test/harness/database.ts';
import { addFileRow, addWorkspace } from '../../../test/harness/storage-rows.ts';
import { systemClock } from '../../kernel/clock.ts';
import type { Transaction } from '../../kernel/database/database.ts';
import { createHolds } from '../../kernel/holds.ts';
import { openLocalBlobs } from '../blobs/local.ts';
import { BlobMissing, type Blobs } from '../blobs/port.ts';
import { checkStorage } from './check.ts';

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
