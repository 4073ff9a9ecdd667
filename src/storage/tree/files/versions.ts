import type { Selectable } from 'kysely';
import type { Database, Reader, Transaction } from '../../../kernel/database/database.ts';
import { notFound } from '../../../kernel/problem.ts';
import type { FileVersionsTable } from '../../tables.ts';
import { lockWorkspace } from '../lock.ts';
import type { Rows } from '../rows.ts';
import { addBytes } from '../sums.ts';
import { formatCursor, isBehind, parseCursor } from '../time-cursor.ts';
import type { StoredContent, StoredFile } from './file.ts';
import { dropVersions } from './version-rows.ts';

/** Former bytes of a file. Times are milliseconds since the epoch. */
export interface FileVersion extends StoredContent {
  id: string;
  workspaceId: string;
  /** When they became the bytes of the file. */
  dateCreated: number;
  dateReplaced: number;
  /** The member that replaced them; null = unknown. */
  replacedBy: string | null;
}

interface VersionDeps {
  database: Database;
  rows: Rows;
}

/** Returns a page of the versions of a file, most recently replaced first. @throws Problem 400 for an invalid cursor */
export async function listVersions(
  reader: Reader,
  { id }: StoredFile,
  { limit, cursor }: { limit: number; cursor?: string },
): Promise<{ versions: FileVersion[]; nextCursor: string | null }> {
  const after = parseCursor(cursor);
  let query = reader
    .selectFrom('file_versions')
    .selectAll()
    .where('file_id', '=', id)
    .orderBy('date_replaced', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (after) query = query.where(isBehind('date_replaced', after));
  const rows = await query.execute();
  const versions = rows.slice(0, limit).map(fromRow);
  const last = versions.at(-1);
  const isLast = rows.length <= limit || last === undefined;
  return { versions, nextCursor: isLast ? null : formatCursor({ time: last.dateReplaced, id: last.id }) };
}

/** @throws Problem 404 */
export async function findVersion(reader: Reader, file: StoredFile, id: string): Promise<FileVersion> {
  const row = await reader
    .selectFrom('file_versions')
    .selectAll()
    .where('id', '=', id)
    .where('file_id', '=', file.id)
    .executeTakeFirstOrThrow(notFound);
  return fromRow(row);
}

/** Removes a version whose bytes become those of its file again. @throws Problem 404 */
export async function takeVersion(
  trx: Transaction,
  deps: VersionDeps,
  file: StoredFile,
  id: string,
): Promise<FileVersion> {
  const version = await lockVersion(trx, deps, file, id);
  await trx.deleteFrom('file_versions').where('id', '=', id).execute();
  await addBytes(trx, file.workspaceId, { version_bytes: -version.sizeBytes });
  return version;
}

/** Deletes a version. @throws Problem 404 */
export async function eraseVersion(
  trx: Transaction,
  deps: VersionDeps,
  file: StoredFile,
  id: string,
): Promise<void> {
  const { blobKey, sizeBytes } = await lockVersion(trx, deps, file, id);
  await dropVersions(trx, deps.database, file.workspaceId, [
    { id, blob_key: blobKey, size_bytes: sizeBytes },
  ]);
}

/** Locks the workspace of a file and reads a version. @throws Problem 404, also when the file has moved meanwhile */
async function lockVersion(
  trx: Transaction,
  deps: VersionDeps,
  file: StoredFile,
  id: string,
): Promise<FileVersion> {
  await lockWorkspace(deps.database, trx, file.workspaceId);
  return await findVersion(trx, await deps.rows.requireFile(trx, file), id);
}

function fromRow(row: Selectable<FileVersionsTable>): FileVersion {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    blobKey: row.blob_key,
    sizeBytes: row.size_bytes,
    mimeType: row.mime_type,
    sha256: row.sha256,
    crc32: row.crc32,
    dateCreated: row.date_created,
    dateReplaced: row.date_replaced,
    replacedBy: row.replaced_by,
  };
}
