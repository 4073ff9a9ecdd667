import { expect, test } from 'bun:test';
import { sql } from 'kysely';
import { freshDatabase } from '../../../test/harness/database.ts';
import { addWorkspace } from '../../../test/harness/storage-rows.ts';
import { until } from '../../../test/harness/until.ts';
import { createMemberships } from './memberships.ts';

// SQLite runs one transaction at a time.
test('of two managers who leave at the same time on PostgreSQL, one stays', async () => {
  const database = await freshDatabase('postgres');
  const accounts = { byEmail: async () => null, byIds: async () => [] };
  const workspaces = { profileOf: async () => ({ workspaceId: null, rootFolderId: null }) };
  const memberships = createMemberships({ database, accounts, workspaces, changed() {} });
  const workspace = { id: 'w', personal: false };
  await addWorkspace(database, { id: workspace.id, is_personal: 0 });
  const managers = ['first', 'second'].map((account_id) => ({
    workspace_id: workspace.id,
    account_id,
    role: 'manager' as const,
  }));
  await database.transaction((trx) => trx.insertInto('memberships').values(managers).execute());

  let hasLeft = false;
  const left = Promise.withResolvers<void>();
  const first = database.transaction(async (trx) => {
    await memberships.remove(trx, workspace, 'first');
    hasLeft = true;
    await left.promise;
  });
  await until(() => hasLeft);
  let isDone = false;
  const second = database
    .transaction((trx) => memberships.remove(trx, workspace, 'second'))
    .finally(() => {
      isDone = true;
    });
  const outcome = Promise.allSettled([second]);
  const waits = async () => {
    const query = sql<{ count: number }>`select count(*)::int as count from pg_locks where not granted`;
    return ((await query.execute(database.schema)).rows[0]?.count ?? 0) > 0;
  };
  await until(async () => isDone || (await waits()));
  left.resolve();
  await first;
  expect(await outcome).toMatchObject([{ reason: { code: 'last_manager' } }]);
});
