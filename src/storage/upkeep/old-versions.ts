import { BATCH_PAUSE_MS } from '../../kernel/database/batches.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Changed } from '../tree/changes.ts';
import { dropVersions } from '../tree/files/version-rows.ts';
import { lockWorkspace } from '../tree/lock.ts';

const ROWS_AT_ONCE = 500;

/** Deletes the versions that were replaced before a time, in batches; reports whether there were any. */
export async function deleteOldVersions(
  { database, changed }: { database: Database; changed: Changed },
  before: number,
): Promise<boolean> {
  for (let isFirst = true; ; isFirst = false) {
    const [oldest] = await readOld(database, before, null);
    if (!oldest) return !isFirst;
    await database.transaction(async (trx) => {
      await lockWorkspace(database, trx, oldest.workspace_id);
      const rows = await readOld({ read: trx }, before, oldest.workspace_id);
      await dropVersions(trx, database, oldest.workspace_id, rows);
      changed(trx, oldest.workspace_id, null);
    });
    await Bun.sleep(BATCH_PAUSE_MS);
  }
}

/** @param workspaceId null = of any workspace */
async function readOld({ read }: Pick<Database, 'read'>, before: number, workspaceId: string | null) {
  let query = read
    .selectFrom('file_versions')
    .select(['id', 'workspace_id', 'blob_key', 'size_bytes'])
    .where('date_replaced', '<', before)
    // In the order of an index, since PostgreSQL would otherwise read all rows to find a few.
    .orderBy('date_replaced')
    .limit(workspaceId === null ? 1 : ROWS_AT_ONCE);
  if (workspaceId !== null) query = query.where('workspace_id', '=', workspaceId);
  return await query.execute();
}
