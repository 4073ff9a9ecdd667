import { SECOND } from '../../../kernel/clock.ts';
import type { Transaction } from '../../../kernel/database/database.ts';
import { nameKey } from '../../../text/name-key.ts';
import type { Folder } from '../folders/folder.ts';
import type { FoundRow } from '../found-row.ts';
import { lockWorkspaces } from '../lock.ts';
import { removeFile } from '../trash/files.ts';
import { type OnConflict, resolveConflict } from './conflicts.ts';
import { type ContentDeps, contentColumns, retireContent } from './contents.ts';
import { factColumns, fromRow, type StoredFile } from './file.ts';

/** The folder and the name that a file gets. */
export interface NewPosition {
  folder?: Folder;
  name?: string;
  onConflict: OnConflict;
  /** Id of the member. */
  by: string;
}

/**
 * Moves a file to a folder of any workspace, and renames it. With `replace`, a file with the same name gets its bytes
 * and is returned, and the moved file goes to the trash.
 * @throws Problem 404, 403, 409 `name_taken`, 507
 */
export async function placeFile(
  trx: Transaction,
  deps: ContentDeps,
  file: StoredFile,
  { folder, name, onConflict, by }: NewPosition,
): Promise<StoredFile> {
  const workspaceId = folder?.workspaceId ?? file.workspaceId;
  await lockWorkspaces(deps.database, trx, [file.workspaceId, workspaceId]);
  if (folder) await deps.rows.requireFolder(trx, folder, by);
  const current = await deps.rows.requireFile(trx, file, by);
  const folderId = folder?.id ?? current.folderId;
  const naming = { folderId, name: name ?? current.originalName, fileId: file.id, onConflict };
  const resolved = await resolveConflict(trx, naming);
  if (resolved.replacesId !== null) {
    const target = { id: resolved.replacesId, workspaceId };
    return await absorbFile(trx, deps, target, { source: current, by });
  }
  await transferBytes(trx, deps, current, workspaceId);
  const row = await trx
    .updateTable('files')
    .set({
      folder_id: folderId,
      workspace_id: workspaceId,
      original_name: resolved.name,
      name_key: nameKey(resolved.name),
    })
    .where('id', '=', file.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return fromRow(row);
}

/**
 * Replaces the bytes of a file by the bytes of another, which is moved to the trash. Both rows reference the same blob,
 * like the rows of copies. Requires the locks of both workspaces.
 */
async function absorbFile(
  trx: Transaction,
  deps: ContentDeps,
  found: FoundRow,
  { source, by }: { source: StoredFile; by: string },
): Promise<StoredFile> {
  const target = await deps.rows.requireFile(trx, found);
  const now = deps.clock.now();
  await retireContent(trx, deps, target, { by, now });
  await removeFile(trx, deps, source, by);
  await deps.quota.charge(trx, target.workspaceId, source.sizeBytes, null);
  const renditions = await trx
    .selectFrom('files')
    .select(['thumbnail_state', 'thumbnail_key', 'preview_of', 'preview_key'])
    .where('id', '=', source.id)
    .executeTakeFirstOrThrow();
  const row = await trx
    .updateTable('files')
    .set({
      ...contentColumns(source, deps.hasRenditions),
      ...renditions,
      ...factColumns(source.facts),
      content_date: source.contentDate,
      modified_by: by,
      date_modified: Math.max(now, target.dateModified + SECOND),
    })
    .where('id', '=', target.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return fromRow(row);
}

/** Transfers the versions and the used bytes of a file to another workspace. @throws Problem 507 */
async function transferBytes(
  trx: Transaction,
  { quota, trashSpace }: ContentDeps,
  { id, workspaceId, sizeBytes }: StoredFile,
  targetId: string,
): Promise<void> {
  if (targetId === workspaceId) return;
  await trashSpace.moveVersions(trx, [id], targetId);
  await quota.refund(trx, workspaceId, sizeBytes);
  await quota.charge(trx, targetId, sizeBytes, null);
}
