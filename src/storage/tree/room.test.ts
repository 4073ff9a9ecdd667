import { expect, test } from 'bun:test';
import { emptyDatabase } from '../../../test/harness/database.ts';
import { addWorkspace } from '../../../test/harness/storage-rows.ts';
import { createRoom } from './room.ts';

test('an upload waits for a limited time while the bytes of other workspaces are deleted', async () => {
  const database = await emptyDatabase('sqlite');
  await addWorkspace(database, { id: 'w', used_bytes: 100, erased_bytes: 300 });
  const collect = () => new Promise<never>(() => {});
  const requireRoom = createRoom({ database, collect, workspaceBytes: 100, maxWaitMs: 1 });
  await expect(requireRoom('w', 1)).rejects.toMatchObject({ code: 'unavailable' });
});
