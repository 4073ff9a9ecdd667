import { expect, test } from 'bun:test';
import { sql } from 'kysely';
import { freshDatabase } from '../../../test/harness/database.ts';
import { addFolderRow, addWorkspace } from '../../../test/harness/storage-rows.ts';
import type { Database } from '../../kernel/database/database.ts';
import { lockTarget } from './targets.ts';

const TARGET = { workspaceId: 'w1', folderId: 'folder', fileIds: [] };

const move = (database: Database) =>
  database.transaction(async (trx) => {
    await sql`set local lock_timeout = 1`.execute(trx);
    await trx.updateTable('folders').set({ workspace_id: 'w2' }).where('id', '=', 'folder').execute();
  });

test('the folder of a link stays in its workspace until the link is committed', async () => {
  const database = await freshDatabase('postgres');
  for (const id of ['w1', 'w2']) await addWorkspace(database, { id });
  await addFolderRow(database, { id: 'folder', workspace_id: 'w1' });
  const outcome = await database.transaction(async (trx) => {
    await lockTarget(database, trx, TARGET);
    return await move(database).then(
      () => 'moved',
      (error: Error) => error.message,
    );
  });
  expect(outcome).toBe('canceling statement due to lock timeout');
  await move(database);
  const held = database.transaction((trx) => lockTarget(database, trx, TARGET));
  await expect(held).rejects.toMatchObject({ code: 'not_found' });
});
