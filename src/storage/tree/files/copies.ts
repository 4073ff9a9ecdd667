import type { Insertable, Selectable } from 'kysely';
import type { Clock } from '../../../kernel/clock.ts';
import type { Database, Transaction } from '../../../kernel/database/database.ts';
import { newIdAt, newToken } from '../../../kernel/ids.ts';
import { nameKey } from '../../../text/name-key.ts';
import type { FilesTable } from '../../tables.ts';
import type { Folder } from '../folders/folder.ts';
import { lockWorkspaces } from '../lock.ts';
import type { Quota } from '../quota.ts';
import type { Rows } from '../rows.ts';
import { fromRow, type StoredFile } from './file.ts';

export interface CopyDeps {
  database: Database;
  clock: Clock;
  quota: Quota;
  rows: Rows;
}

/**
 * Copies a file into a folder, of any workspace. The copy is private, with new tokens and without secrets.
 * Both rows reference the same blob, which is deleted after the last of them (`upkeep/references.ts`): a copy
 * takes no disk space, but counts in full toward the quota. The lock of the source ensures that its row, and
 * so its blob, exists until the copy is committed.
 * @param by id of the member @throws Problem 404, 403, 507
 */
export async function copyFile(
  trx: Transaction,
  { database, clock, quota, rows }: CopyDeps,
  file: StoredFile,
  { target, name, by }: { target: Folder; name: string; by: string },
): Promise<StoredFile> {
  await lockWorkspaces(database, trx, [file.workspaceId, target.workspaceId]);
  await rows.requireFolder(trx, target, by);
  const { id, sizeBytes } = await rows.requireFile(trx, file);
  await quota.charge(trx, target.workspaceId, sizeBytes, null);
  const row = await trx.selectFrom('files').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const copy = await trx
    .insertInto('files')
    .values({
      ...rowOfCopy(row, { folderId: target.id, workspaceId: target.workspaceId, by }, clock.now()),
      original_name: name,
      name_key: nameKey(name),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return fromRow(copy);
}

interface PlaceOfCopy {
  workspaceId: string;
  folderId: string;
  /** Id of the member that copies. */
  by: string;
}

export function rowOfCopy(
  row: Selectable<FilesTable>,
  { workspaceId, folderId, by }: PlaceOfCopy,
  now: number,
): Insertable<FilesTable> {
  return {
    ...row,
    id: newIdAt(now),
    workspace_id: workspaceId,
    folder_id: folderId,
    visibility: 0,
    direct_token: newToken(),
    ui_token: newToken(),
    password_hash: null,
    access_key: null,
    shared_by: null,
    expires_at: null,
    max_downloads: null,
    download_count: 0,
    // The bytes may be from someone other than `by`, so they do not count as an upload of that member.
    content_date: now,
    thumbnail_attempts: 0,
    thumbnail_lease_until: null,
    date_created: now,
    date_modified: now,
    created_by: by,
    modified_by: null,
  };
}
