import type { Generated } from 'kysely';

declare module '../../../kernel/database/database.ts' {
  interface Tables {
    uploads: UploadsTable;
    upload_parts: UploadPartsTable;
  }
}

/** Resumable uploads in progress, and for a while those that have become files. */
export interface UploadsTable {
  id: string;
  /** Id of the member that began it, or of the link through which a visitor did. */
  account_id: string;
  /** The link through which a visitor sends it; null = a member sends it. */
  link_id: Generated<string | null>;
  /** Name given by the visitor; null = none. */
  sender: Generated<string | null>;
  workspace_id: string;
  folder_id: string;
  /** The file to replace; null = create a file. */
  replace_file_id: string | null;
  file_name: string;
  /** Media type given by the client; null = none. */
  media_type: string | null;
  visibility: number;
  /** Hash of the password that the file gets; null = none. */
  password_hash: string | null;
  /** 1 = the client specified no visibility. */
  keeps_visibility: Generated<number | null>;
  /** Null = `keep`. */
  on_conflict: Generated<'keep' | 'rename' | 'replace' | 'fail' | null>;
  /** 1 = the file gets an access key. */
  with_access_key: number | null;
  /** The `Upload-Metadata` without the password. */
  metadata: string;
  size_bytes: number;
  /** Number of bytes received, without a gap. */
  offset_bytes: number;
  /** The file that was created from it. */
  file_id: string | null;
  /** The request that may write, until `lock_until` unless it renews the lock. */
  lock_owner: string | null;
  lock_until: number | null;
  /** 1 = another request waits for the lock. */
  lock_wanted: Generated<number>;
  date_created: number;
  expires_at: number;
}

/** The received bytes, as blobs until the upload is complete. */
export interface UploadPartsTable {
  upload_id: string;
  /** Position of the first byte in the upload. */
  start_byte: number;
  size_bytes: number;
  blob_key: string;
  /** Null = an earlier version received it. */
  crc32: number | null;
}
