import type { Selectable } from 'kysely';
import type { Database, Reader } from '../../../kernel/database/database.ts';
import type { FilesTable, RenditionState } from '../../tables.ts';
import { type Member, prepareReach, type Role, roleOf } from '../member.ts';

/** A file, as its row holds it. Times are milliseconds since the epoch. */
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
  /** Name of the sender on its page; null = none. */
  sharedBy: string | null;
  downloadCount: number;
  /** A small picture, for lists. */
  thumbnail: Rendition;
  /** A picture in the size of a screen. */
  preview: Rendition;
  facts: MediaFacts;
  dateCreated: number;
  dateModified: number;
  /** Time at which it got its present bytes. */
  contentDate: number;
  deletedAt: number | null;
  /** Id of the member that uploaded it; null = unknown, or a visitor of a link. */
  createdBy: string | null;
  /** Name given by the visitor who sent it through a link; null = none. */
  sender: string | null;
  /** Id of the member that last changed it; null = none, or unknown. */
  modifiedBy: string | null;
}

export type RenditionKind = 'thumbnail' | 'preview';

export interface Rendition {
  state: RenditionState;
  /** Key of its blob; null unless it is rendered. */
  key: string | null;
}

/** Facts in the bytes of a file; null = absent, or not read yet. */
export interface MediaFacts {
  /** Pixels of a picture or video, upright. */
  width: number | null;
  height: number | null;
  /** The camera's local time, in milliseconds as if it were UTC. */
  takenAt: number | null;
  /** Minutes between that local time and UTC. */
  takenOffset: number | null;
  /** Maker and model. */
  camera: string | null;
  /** WebP of a few pixels in base64, for a picture. */
  placeholder: string | null;
  /** Playing time in ms. */
  durationMs: number | null;
}

export const NO_FACTS: MediaFacts = {
  width: null,
  height: null,
  takenAt: null,
  takenOffset: null,
  camera: null,
  placeholder: null,
  durationMs: null,
};

/** A file, with the role of the member in its workspace. */
export type FileWithRole = StoredFile & { role: Role };

/** The bytes of an upload as ingest stored and measured them. */
export interface StoredContent {
  blobKey: string;
  sizeBytes: number;
  mimeType: string;
  /** Base64 of 32 bytes. */
  sha256: string;
  crc32: number;
}

/** `deleted` = in the trash, restorable for a while. */
export type FileState = 'live' | 'deleted';

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
    sharedBy: row.shared_by,
    downloadCount: row.download_count,
    ...renditionsOf(row),
    facts: factsOf(row),
    dateCreated: row.date_created,
    dateModified: row.date_modified,
    contentDate: row.content_date ?? row.date_created,
    deletedAt: row.deleted_at,
    createdBy: row.created_by,
    sender: row.sender,
    modifiedBy: row.modified_by,
  };
}

type RenditionColumns = 'thumbnail_state' | 'thumbnail_key' | 'preview_of' | 'preview_key' | 'blob_key';

/** Returns the renditions of a file. No preview is rendered of a picture that cannot have a thumbnail. */
export function renditionsOf({
  thumbnail_state: state,
  thumbnail_key,
  preview_of,
  preview_key,
  blob_key,
}: Pick<Selectable<FilesTable>, RenditionColumns>): Record<RenditionKind, Rendition> {
  const thumbnail = { state, key: state === 'made' ? thumbnail_key : null };
  if (state !== 'made') return { thumbnail, preview: { state, key: null } };
  if (preview_of !== blob_key) return { thumbnail, preview: { state: 'pending', key: null } };
  return { thumbnail, preview: { state: preview_key === null ? 'failed' : 'made', key: preview_key } };
}

function factsOf(row: Selectable<FilesTable>): MediaFacts {
  const { width, height, camera, placeholder } = row;
  const { taken_at: takenAt, taken_offset: takenOffset, duration_ms: durationMs } = row;
  return { width, height, takenAt, takenOffset, camera, placeholder, durationMs };
}

export function factColumns({ takenAt, takenOffset, durationMs, ...facts }: MediaFacts) {
  return { ...facts, taken_at: takenAt, taken_offset: takenOffset, duration_ms: durationMs };
}

/** Returns a file of one of the member's workspaces. @throws Problem 404, 403 `role_insufficient` */
export type FindFile = (reader: Reader, member: Member, id: string) => Promise<FileWithRole>;

export function prepareFindFile(database: Database, state: FileState): FindFile {
  const find = prepareReach(
    database,
    (memberships, { id }: { id: string }) =>
      memberships
        .innerJoin('files', 'files.workspace_id', 'memberships.workspace_id')
        .selectAll('files')
        .where('files.id', '=', id)
        .where('files.deleted_at', state === 'deleted' ? 'is not' : 'is', null),
    // PostgreSQL would keep a plan that reads all deleted files, made while there are few.
    { isLookup: state === 'live' },
  );
  return async (reader, member, id) => {
    const row = await find(reader, member, { id });
    return { ...fromRow(row), role: roleOf(row) };
  };
}
