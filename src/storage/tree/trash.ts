import { type Clock, DAY } from '../../kernel/clock.ts';
import type { Database, Transaction } from '../../kernel/database/database.ts';
import { notFound } from '../../kernel/problem.ts';
import { findFile, fromRow, type StoredFile } from './file.ts';
import { lockWorkspace, requireFile } from './lock.ts';
import type { Quota } from './quota.ts';

interface TrashDeps {
  database: Database;
  clock: Clock;
  quota: Quota;
  trashDays: number;
}

export async function removeFile(
  trx: Transaction,
  { database, clock, quota }: TrashDeps,
  file: StoredFile,
): Promise<void> {
  await lockWorkspace(database, trx, file.workspaceId);
  const row = await trx
    .updateTable('files')
    .set({ deleted_at: clock.now() })
    .where('id', '=', file.id)
    .where('deleted_at', 'is', null)
    .returning('size_bytes')
    .executeTakeFirst();
  if (!row) throw notFound();
  await quota.refund(trx, file.workspaceId, row.size_bytes);
}

export async function restoreFile(
  trx: Transaction,
  { database, clock, quota, trashDays }: TrashDeps,
  accountId: string,
  id: string,
): Promise<StoredFile> {
  const { workspaceId } = await findFile(trx, accountId, id, 'deleted');
  await lockWorkspace(database, trx, workspaceId);
  const file = await requireFile(trx, id, 'deleted');
  if ((file.deletedAt ?? 0) < clock.now() - trashDays * DAY) throw notFound();
  await quota.charge(trx, workspaceId, file.sizeBytes, null);
  const folder = await trx
    .selectFrom('folders')
    .select('id')
    .where('id', '=', file.folderId)
    .executeTakeFirst();
  const root = await trx
    .selectFrom('workspaces')
    .select('root_folder_id')
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  const row = await trx
    .updateTable('files')
    .set({ deleted_at: null, folder_id: folder?.id ?? root.root_folder_id })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return fromRow(row);
}

export async function listTrash(
  { database, clock, trashDays }: TrashDeps,
  workspaceId: string,
  limit: number,
): Promise<StoredFile[]> {
  const rows = await database.read
    .selectFrom('files')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('deleted_at', '>=', clock.now() - trashDays * DAY)
    .orderBy('deleted_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(fromRow);
}
