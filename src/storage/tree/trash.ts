import { sql } from 'kysely';
import { DAY } from '../../kernel/clock.ts';
import type { Database, Transaction } from '../../kernel/database/database.ts';
import { readNow } from '../../kernel/database/now.ts';
import { notFound } from '../../kernel/problem.ts';
import { findFile, fromRow, type StoredFile } from './file.ts';
import { lockWorkspace, requireFile } from './lock.ts';
import type { Member } from './member.ts';
import type { Quota } from './quota.ts';
import type { TrashSpace } from './trash-space.ts';
import type { Workspace } from './workspaces.ts';

interface TrashDeps {
  database: Database;
  quota: Quota;
  trashSpace: TrashSpace;
  trashDays: number;
}

export async function removeFile(
  trx: Transaction,
  { database, trashSpace }: TrashDeps,
  file: StoredFile,
): Promise<void> {
  await lockWorkspace(database, trx, file.workspaceId);
  const row = await trx
    .updateTable('files')
    .set({ deleted_at: await trashSpace.deletionTime(trx, file.workspaceId) })
    .where('id', '=', file.id)
    .where('workspace_id', '=', file.workspaceId)
    .where('deleted_at', 'is', null)
    .returning(['size_bytes', 'deleted_at'])
    .executeTakeFirst();
  if (!row) throw notFound();
  await trashSpace.keep(trx, file.workspaceId, row.size_bytes, row.deleted_at ?? 0);
}

export async function restoreFile(
  trx: Transaction,
  { database, quota, trashSpace, trashDays }: TrashDeps,
  member: Member,
  id: string,
): Promise<StoredFile> {
  const found = await findFile(trx, member, id, 'deleted');
  const { workspaceId } = found;
  await lockWorkspace(database, trx, workspaceId);
  const file = await requireFile(trx, found, 'deleted');
  const workspace = await trx
    .selectFrom('workspaces')
    .select(['root_folder_id', 'trash_since'])
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  const oldest = Math.max(workspace.trash_since + 1, (await readNow(database, trx)) - trashDays * DAY);
  if ((file.deletedAt ?? 0) < oldest) throw notFound();
  await trashSpace.takeBack(trx, workspaceId, file.sizeBytes);
  await quota.charge(trx, workspaceId, file.sizeBytes, null);
  const folder = await trx
    .selectFrom('folders')
    .select('id')
    .where('id', '=', file.folderId)
    .where('workspace_id', '=', workspaceId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  const row = await trx
    .updateTable('files')
    .set({ deleted_at: null, folder_id: folder?.id ?? workspace.root_folder_id })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return fromRow(row);
}

export async function listTrash(
  { database, trashDays }: TrashDeps,
  { id }: Workspace,
  limit: number,
): Promise<StoredFile[]> {
  const rows = await database.read
    .selectFrom('files')
    .innerJoin('workspaces', 'workspaces.id', 'files.workspace_id')
    .selectAll('files')
    .where('workspace_id', '=', id)
    .where('deleted_at', '>=', sql<number>`${database.now} - ${sql.lit(trashDays * DAY)}`)
    .whereRef('deleted_at', '>', 'trash_since')
    .orderBy('deleted_at', 'desc')
    .orderBy('files.id')
    .limit(limit)
    .execute();
  return rows.map(fromRow);
}
