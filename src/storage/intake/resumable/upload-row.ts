import type { Insertable, Selectable } from 'kysely';
import type { OnConflict } from '../../tree/files/conflicts.ts';
import type { UploadsTable } from './tables.ts';

/** A resumable upload, as its row holds it. Times are milliseconds since the epoch. */
export interface StoredUpload {
  id: string;
  /** Id of the member, or of the link, that it belongs to. */
  ownerId: string;
  /** Whether a visitor sends it through a link. */
  isOfLink: boolean;
  /** Name given by the visitor; null = none. */
  sender: string | null;
  workspaceId: string;
  folderId: string;
  replaceFileId: string | null;
  fileName: string;
  mediaType: string | null;
  /** Undefined = not given. */
  visibility: number | undefined;
  onConflict: OnConflict;
  /** Hash of the file's password; null = none. */
  passwordHash: string | null;
  withAccessKey: boolean;
  /** The client's `Upload-Metadata` without the password; '' = none. */
  metadata: string;
  sizeBytes: number;
  /** Number of bytes received, without a gap. */
  offset: number;
  /** Id of the file that was created from it; null = unfinished. */
  fileId: string | null;
  dateCreated: number;
  expiresAt: number;
}

export function toRow(upload: StoredUpload): Insertable<UploadsTable> {
  return {
    id: upload.id,
    account_id: upload.ownerId,
    link_id: upload.isOfLink ? upload.ownerId : null,
    sender: upload.sender,
    workspace_id: upload.workspaceId,
    folder_id: upload.folderId,
    replace_file_id: upload.replaceFileId,
    file_name: upload.fileName,
    media_type: upload.mediaType,
    visibility: upload.visibility ?? 0,
    keeps_visibility: upload.visibility === undefined ? 1 : 0,
    on_conflict: upload.onConflict,
    password_hash: upload.passwordHash,
    with_access_key: upload.withAccessKey ? 1 : 0,
    metadata: upload.metadata,
    size_bytes: upload.sizeBytes,
    offset_bytes: upload.offset,
    date_created: upload.dateCreated,
    expires_at: upload.expiresAt,
  };
}

export function fromRow(row: Selectable<UploadsTable>): StoredUpload {
  return {
    id: row.id,
    ownerId: row.account_id,
    isOfLink: row.link_id !== null,
    sender: row.sender,
    workspaceId: row.workspace_id,
    folderId: row.folder_id,
    replaceFileId: row.replace_file_id,
    fileName: row.file_name,
    mediaType: row.media_type,
    visibility: row.keeps_visibility === 1 ? undefined : row.visibility,
    onConflict: row.on_conflict ?? 'keep',
    passwordHash: row.password_hash,
    withAccessKey: row.with_access_key === 1,
    metadata: row.metadata,
    sizeBytes: row.size_bytes,
    offset: row.offset_bytes,
    fileId: row.file_id,
    dateCreated: row.date_created,
    expiresAt: row.expires_at,
  };
}
