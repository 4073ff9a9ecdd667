import { type Selectable, sql } from 'kysely';
import { type Clock, SECOND } from '../../../kernel/clock.ts';
import type { Database, Transaction } from '../../../kernel/database/database.ts';
import { prepareInsert } from '../../../kernel/database/prepare-insert.ts';
import { newToken } from '../../../kernel/ids.ts';
import { nameKey } from '../../../text/name-key.ts';
import type { FilesTable, RenditionState } from '../../tables.ts';
import { renditionBlobs } from '../discarded.ts';
import type { Folder } from '../folders/folder.ts';
import type { FoundRow } from '../found-row.ts';
import { lockWorkspace } from '../lock.ts';
import type { Quota } from '../quota.ts';
import type { Rows } from '../rows.ts';
import type { TrashSpace } from '../trash/space.ts';
import type { OnConflict } from './conflicts.ts';
import { factColumns, fromRow, NO_FACTS, type StoredContent, type StoredFile } from './file.ts';
import { takeVersion } from './versions.ts';

export interface NewFile {
  folder: Folder;
  originalName: string;
  content: StoredContent;
  /** Undefined = private, or the visibility of the file that it replaces. */
  visibility: number | undefined;
  passwordHash: string | null;
  withAccessKey: boolean;
  reservationId: string | null;
  onConflict: OnConflict;
  /** Id of the member that uploads it; null = a visitor. */
  by: string | null;
  /** Name given by the visitor; null = none. */
  sender?: string | null;
}

export interface FileReplacement {
  content: StoredContent;
  /** Undefined = it keeps its own. */
  originalName?: string;
  reservationId: string | null;
  /** Id of the member that replaces the bytes. */
  by: string | null;
}

export interface ContentDeps {
  database: Database;
  clock: Clock;
  quota: Quota;
  trashSpace: TrashSpace;
  rows: Rows;
  /** Reports whether files of this media type get a thumbnail. */
  hasRenditions(mimeType: string): boolean;
}

/** @property accessKey sealed for `id`; null = none */
interface NewRow {
  id: string;
  accessKey: string | null;
}

/** Columns of a new file; the others are empty. */
const NEW_COLUMNS = {
  id: 'text',
  workspace_id: 'text',
  folder_id: 'text',
  original_name: 'text',
  name_key: 'text',
  size_bytes: 'bigint',
  mime_type: 'text',
  visibility: 'bigint',
  blob_key: 'text',
  sha256: 'text',
  crc32: 'bigint',
  direct_token: 'text',
  ui_token: 'text',
  password_hash: 'text',
  access_key: 'text',
  download_count: 'bigint',
  thumbnail_state: 'text',
  thumbnail_attempts: 'bigint',
  created_by: 'text',
  sender: 'text',
  date_created: 'bigint',
  date_modified: 'bigint',
} as const;

function prepareInsertFile(database: Database) {
  const names = Object.keys(NEW_COLUMNS) as (keyof typeof NEW_COLUMNS)[];
  return prepareInsert(
    database,
    NEW_COLUMNS,
    ({ value, from }) => sql<Selectable<FilesTable>>`
      insert into files (${sql.join(names.map((name) => sql.ref(name)))})
      select ${sql.join(names.map(value))} ${from}
      returning *`,
  );
}

/** Adds a file, with the workspace locked. @throws Problem 404, 403 `role_insufficient`, 507 `quota_exceeded` */
export type AddFile = (trx: Transaction, file: NewFile, row: NewRow) => Promise<StoredFile>;

export function createAddFile({ database, clock, quota, rows, hasRenditions }: ContentDeps): AddFile {
  const insert = prepareInsertFile(database);
  return async (trx, file, { id, accessKey }) => {
    const { folder, content } = file;
    await quota.charge(trx, folder.workspaceId, content.sizeBytes, file.reservationId);
    await rows.requireFolder(trx, folder, file.by);
    const now = clock.now();
    const [row] = await insert(trx, [
      {
        id,
        workspace_id: folder.workspaceId,
        folder_id: folder.id,
        original_name: file.originalName,
        name_key: nameKey(file.originalName),
        size_bytes: content.sizeBytes,
        mime_type: content.mimeType,
        visibility: file.visibility ?? 0,
        blob_key: content.blobKey,
        sha256: content.sha256,
        crc32: content.crc32,
        direct_token: newToken(),
        ui_token: newToken(),
        password_hash: file.passwordHash,
        access_key: accessKey,
        download_count: 0,
        thumbnail_state: stateOf(content.mimeType, hasRenditions),
        thumbnail_attempts: 0,
        created_by: file.by,
        sender: file.sender ?? null,
        date_created: now,
        date_modified: now,
      },
    ]);
    if (!row) throw new Error('a file was not inserted');
    return fromRow(row);
  };
}

export async function replaceFile(
  trx: Transaction,
  deps: ContentDeps,
  file: FoundRow,
  { content, originalName, reservationId, by }: FileReplacement,
): Promise<StoredFile> {
  const { database, clock, quota, rows, hasRenditions } = deps;
  await lockWorkspace(database, trx, file.workspaceId);
  const current = await rows.requireFile(trx, file, by);
  const name = originalName ?? current.originalName;
  const now = clock.now();
  await retireContent(trx, deps, current, { by, now });
  await quota.charge(trx, current.workspaceId, content.sizeBytes, reservationId);
  const row = await trx
    .updateTable('files')
    .set({
      original_name: name,
      name_key: nameKey(name),
      ...contentColumns(content, hasRenditions),
      content_date: now,
      modified_by: by,
      date_modified: Math.max(now, current.dateModified + SECOND),
    })
    .where('id', '=', file.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return fromRow(row);
}

/** Keeps the present bytes of a file as a version, before they are replaced. */
export async function retireContent(
  trx: Transaction,
  { quota, trashSpace }: ContentDeps,
  file: StoredFile,
  replacement: { by: string | null; now: number },
): Promise<void> {
  const { workspaceId, thumbnail, preview, sizeBytes } = file;
  await quota.refund(trx, workspaceId, sizeBytes);
  await trashSpace.keepVersion(trx, file, replacement);
  const renditions = renditionBlobs({ thumbnail_key: thumbnail.key, preview_key: preview.key });
  if (renditions.length > 0) await trashSpace.discard(trx, workspaceId, renditions);
}

/** Restores the bytes of a version of the file. @throws Problem 404, 507 */
export async function restoreVersion(
  trx: Transaction,
  deps: ContentDeps,
  file: FoundRow & StoredFile,
  { versionId, by }: { versionId: string; by: string },
): Promise<StoredFile> {
  const content = await takeVersion(trx, deps, file, versionId);
  const replaced = await replaceFile(trx, deps, file, { content, reservationId: null, by });
  const row = await trx
    .updateTable('files')
    .set({ content_date: content.dateCreated })
    .where('id', '=', replaced.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return fromRow(row);
}

/** Returns the columns of a file that describe its bytes, with its renditions pending. */
export function contentColumns(
  { blobKey, sizeBytes, mimeType, sha256, crc32 }: StoredContent,
  hasRenditions: ContentDeps['hasRenditions'],
) {
  return {
    blob_key: blobKey,
    size_bytes: sizeBytes,
    mime_type: mimeType,
    sha256,
    crc32,
    thumbnail_state: stateOf(mimeType, hasRenditions),
    thumbnail_key: null,
    thumbnail_attempts: 0,
    thumbnail_lease_until: null,
    preview_of: null,
    preview_key: null,
    ...factColumns(NO_FACTS),
  };
}

function stateOf(mimeType: string, hasRenditions: ContentDeps['hasRenditions']): RenditionState {
  return hasRenditions(mimeType) ? 'pending' : 'none';
}
