import type { Generated } from 'kysely';

declare module '../../kernel/database/database.ts' {
  interface Tables {
    links: LinksTable;
    link_files: LinkFilesTable;
    link_grants: LinkGrantsTable;
  }
}

/** Links that open a folder with everything in it, or chosen files. */
export interface LinksTable {
  id: string;
  workspace_id: string;
  token: string;
  /** Null = the files in `link_files`. */
  folder_id: string | null;
  /** Rights of visitors: see the content, send files, or both. */
  access: 'view' | 'upload' | 'both';
  title: string | null;
  message: string | null;
  /** Argon2id. */
  password_hash: string | null;
  expires_at: number | null;
  /** Maximum number of downloads; null = unlimited. */
  max_downloads: number | null;
  download_count: Generated<number>;
  /** Maximum sum of the sizes of the files that visitors send; null = the default. */
  max_bytes: number | null;
  /** Maximum number of files that visitors send; null = the default. */
  max_files: number | null;
  upload_count: Generated<number>;
  uploaded_bytes: Generated<number>;
  /** Time at which its creator is notified of new files; null = there are none. */
  notice_at: Generated<number | null>;
  /** `upload_count` at the last notice. */
  noticed_uploads: Generated<number>;
  /** The member; null = unknown. */
  created_by: string | null;
  date_created: number;
}

/** The chosen files of links. */
export interface LinkFilesTable {
  link_id: string;
  file_id: string;
}

/** Visitors who have begun to download from a link. */
export interface LinkGrantsTable {
  link_id: string;
  /** HMAC of address and user agent. */
  visitor: string;
  expires_at: number;
}
