import type { Selectable } from 'kysely';
import type { Representation } from './bytes.ts';
import type { FilesTable } from './tables.ts';

/** A file as its row says. Times are milliseconds since the epoch. */
export interface StoredFile {
  id: string;
  workspaceId: string;
  folderId: string;
  originalName: string;
  sizeBytes: number;
  mimeType: string;
  /** 0 = private, 1 = public. */
  visibility: number;
  blobKey: string;
  /** Base64 of 32 bytes. */
  sha256: string;
  crc32: number;
  directToken: string;
  uiToken: string;
  passwordHash: string | null;
  /** Sealed. */
  accessKey: string | null;
  expiresAt: number | null;
  maxDownloads: number | null;
  downloadCount: number;
  thumbnailKey: string | null;
  dateCreated: number;
  dateModified: number;
  deletedAt: number | null;
}

/** What ingest found out about the bytes of an upload. */
export interface Content {
  blobKey: string;
  sizeBytes: number;
  mimeType: string;
  /** Base64 of 32 bytes. */
  sha256: string;
  crc32: number;
}

export function fromRow(row: Selectable<FilesTable>): StoredFile {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    folderId: row.folder_id,
    originalName: row.original_name,
    sizeBytes: row.size_bytes,
    mimeType: row.mime_type,
    visibility: row.visibility,
    blobKey: row.blob_key,
    sha256: row.sha256,
    crc32: row.crc32,
    directToken: row.direct_token,
    uiToken: row.ui_token,
    passwordHash: row.password_hash,
    accessKey: row.access_key,
    expiresAt: row.expires_at,
    maxDownloads: row.max_downloads,
    downloadCount: row.download_count,
    thumbnailKey: row.thumbnail_state === 'made' ? row.thumbnail_key : null,
    dateCreated: row.date_created,
    dateModified: row.date_modified,
    deletedAt: row.deleted_at,
  };
}

/** A file's bytes as HTTP speaks of them. */
export function representationOf(file: StoredFile): Representation {
  return {
    blobKey: file.blobKey,
    sizeBytes: file.sizeBytes,
    mimeType: file.mimeType,
    fileName: file.originalName,
    sha256: file.sha256,
    etag: `"${file.sha256}"`,
    lastModified: file.dateModified,
  };
}
