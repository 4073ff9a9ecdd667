import type { StoredUpload } from '../../intake/resumable/upload-row.ts';
import type { NewUpload } from '../../intake/resumable/uploads.ts';

export const UPLOADS_PATH = '/api/storage/uploads';
export const FILE_ID_HEADER = 'Posthouse-File-Id';
/** Media type of the bytes of uploads. */
export const BYTES_TYPE = 'application/offset+octet-stream';

/** Header fields of the protocol that pages of other origins may send. */
export const TUS_REQUEST_HEADERS = [
  'Tus-Resumable',
  'Upload-Length',
  'Upload-Offset',
  'Upload-Metadata',
  'Upload-Checksum',
  'X-HTTP-Method-Override',
  'Idempotency-Key',
] as const;

/** Response header fields that those pages may read. */
export const TUS_RESPONSE_HEADERS = [
  'Tus-Resumable',
  'Tus-Version',
  'Tus-Extension',
  'Tus-Max-Size',
  'Tus-Checksum-Algorithm',
  'Upload-Length',
  'Upload-Offset',
  'Upload-Expires',
  'Upload-Metadata',
  FILE_ID_HEADER,
] as const;

/** The caller whose uploads a request reaches: a member, or a visitor of a link. */
export interface UploadOwner {
  /**
   * @param upload its `metadata` are the `Upload-Metadata` header, '' = none; its `writer` is that of `NewUpload`
   * @throws Problem
   */
  begin(upload: Pick<NewUpload, 'id' | 'sizeBytes' | 'metadata' | 'writer'>): Promise<void>;
  /** Time after which an upload without bytes expires, ms. */
  unstartedMs: number;
  /** @throws Problem 404 */
  find(id: string): Promise<StoredUpload>;
  /** Checks that the caller may still upload, before the upload is complete. @throws Problem */
  recheck(): Promise<void>;
  pathOf(id: string): string;
}

export interface TusRequest {
  /** The effective method, with `X-HTTP-Method-Override` applied. */
  method: string;
  /** Null = anyone, for OPTIONS. */
  owner: UploadOwner | null;
  /** Null = a new upload. */
  uploadId: string | null;
  /** Id of the new upload that repeats of its first request share; undefined = a random one. */
  newId?: string | undefined;
}

/** Handles one request of the protocol. @throws Problem for every rejected request */
export type HandleTus = (request: Request, tusRequest: TusRequest) => Promise<Response>;
