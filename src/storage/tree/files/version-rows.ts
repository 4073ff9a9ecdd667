import type { Insertable, Selectable } from 'kysely';
import { batchesOf } from '../../../kernel/batches-of.ts';
import type { Database, Reader, Transaction } from '../../../kernel/database/database.ts';
import type { FileVersionsTable } from '../../tables.ts';
import { scheduleDeletion } from '../discarded.ts';
import { addBytes } from '../sums.ts';

/** Maximum number of versions of a file, in addition to its present bytes. */
const MAX_VERSIONS = 20;
/** Maximum number of rows that one transaction deletes, so that it does not delay others. */
const ROWS_AT_ONCE = 1000;

const DROPPED = ['id', 'blob_key', 'size_bytes'] as const;

type DroppedVersion = Pick<Selectable<FileVersionsTable>, (typeof DROPPED)[number]>;

/** Adds a version of a file, and deletes the oldest above `MAX_VERSIONS`. Requires the lock of the workspace. */
export async function addVersion(
  trx: Transaction,
  database: Database,
  version: Insertable<FileVersionsTable>,
): Promise<void> {
  await trx.insertInto('file_versions').values(version).execute();
  await addBytes(trx, version.workspace_id, { version_bytes: version.size_bytes });
  const tooMany = await trx
    .selectFrom('file_versions')
    .select(DROPPED)
    .where('file_id', '=', version.file_id)
    .orderBy('date_replaced', 'desc')
    .orderBy('id', 'desc')
    .limit(ROWS_AT_ONCE)
    .offset(MAX_VERSIONS)
    .execute();
  await dropVersions(trx, database, version.workspace_id, tooMany);
}

/**
 * Deletes the oldest versions of a workspace until `bytes` are freed, at most `ROWS_AT_ONCE`; returns the number of
 * bytes freed, and whether more versions must be deleted.
 */
export async function dropOldest(
  trx: Transaction,
  database: Database,
  workspaceId: string,
  bytes: number,
): Promise<{ freed: number; isPartial: boolean }> {
  const oldest = await trx
    .selectFrom('file_versions')
    .select(DROPPED)
    .where('workspace_id', '=', workspaceId)
    .orderBy('date_replaced')
    .orderBy('id')
    .limit(ROWS_AT_ONCE)
    .execute();
  let freed = 0;
  const rows = oldest.filter(({ size_bytes }) => {
    if (freed >= bytes) return false;
    freed += size_bytes;
    return true;
  });
  await dropVersions(trx, database, workspaceId, rows);
  return { freed, isPartial: oldest.length === ROWS_AT_ONCE && freed < bytes };
}

/** Deletes versions of files of a workspace, at most `ROWS_AT_ONCE`; reports whether there may be more. */
export async function dropVersionsOf(
  trx: Transaction,
  database: Database,
  workspaceId: string,
  fileIds: readonly string[],
): Promise<boolean> {
  const rows = await trx
    .selectFrom('file_versions')
    .select(DROPPED)
    .where('file_id', 'in', fileIds)
    .where('workspace_id', '=', workspaceId)
    .limit(ROWS_AT_ONCE)
    .execute();
  await dropVersions(trx, database, workspaceId, rows);
  return rows.length === ROWS_AT_ONCE;
}

/** Deletes versions and schedules the deletion of their blobs. */
export async function dropVersions(
  trx: Transaction,
  database: Database,
  workspaceId: string,
  rows: readonly DroppedVersion[],
): Promise<void> {
  for (const batch of batchesOf(rows, ROWS_AT_ONCE)) {
    const blobs = batch.map(({ blob_key, size_bytes }) => ({ key: blob_key, bytes: size_bytes }));
    await trx
      .deleteFrom('file_versions')
      .where(
        'id',
        'in',
        batch.map(({ id }) => id),
      )
      .execute();
    const known = await scheduleDeletion(trx, database, workspaceId, blobs);
    const bytes = batch.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
    await addBytes(trx, workspaceId, { version_bytes: -bytes, erased_bytes: bytes - known });
  }
}

/** Moves the versions of files to another workspace, with both workspaces locked; reports whether there were any. */
export async function moveVersions(
  trx: Transaction,
  fileIds: readonly string[],
  targetId: string,
): Promise<boolean> {
  const sums = await versionBytes(trx, fileIds, targetId);
  if (sums.length === 0) return false;
  await trx
    .updateTable('file_versions')
    .set({ workspace_id: targetId })
    .where('file_id', 'in', fileIds)
    .execute();
  for (const { workspace_id, bytes } of sums) {
    await addBytes(trx, workspace_id, { version_bytes: -bytes });
    await addBytes(trx, targetId, { version_bytes: bytes });
  }
  return true;
}

async function versionBytes(reader: Reader, fileIds: readonly string[], except: string) {
  return await reader
    .selectFrom('file_versions')
    .select((of) => ['workspace_id', of.fn.sum<number>('size_bytes').as('bytes')])
    .where('file_id', 'in', fileIds)
    .where('workspace_id', '!=', except)
    .groupBy('workspace_id')
    .execute();
}
