import type { Selectable } from 'kysely';
import type { Reader } from '../../kernel/database/database.ts';
import type { LinksTable } from './tables.ts';

export const LINK_RIGHTS = ['view', 'upload', 'both'] as const;

/** Rights of the visitors of a link: see the content, send files, or both. */
export type LinkRights = (typeof LINK_RIGHTS)[number];

/** A link to a folder with everything in it, or to chosen files. Times are milliseconds since the epoch. */
export interface StoredLink {
  id: string;
  workspaceId: string;
  token: string;
  /** Null = chosen files. */
  folderId: string | null;
  access: LinkRights;
  title: string | null;
  message: string | null;
  /** Argon2id. */
  passwordHash: string | null;
  expiresAt: number | null;
  /** Maximum number of downloads, one per visitor and hour; null = unlimited. */
  maxDownloads: number | null;
  downloadCount: number;
  /** Maximum sum of the sizes of the files that visitors send; null = the default. */
  maxBytes: number | null;
  /** Maximum number of files that visitors send; null = the default. */
  maxFiles: number | null;
  uploadCount: number;
  uploadedBytes: number;
  /** Id of the member; null = unknown. */
  createdBy: string | null;
  dateCreated: number;
}

/** A link with facts about its target. */
export interface FoundLink extends StoredLink {
  /** Name of its folder; null = chosen files, or the folder is deleted. */
  folderName: string | null;
  /** Number of the chosen files that are not erased; 0 for a folder. */
  fileCount: number;
  /** Quota of its workspace; null = the default. */
  workspaceMaxBytes: number | null;
}

/** Starts a query over links with the facts of a `FoundLink`. */
export function selectLinks(reader: Reader) {
  return reader
    .selectFrom('links')
    .innerJoin('workspaces', 'workspaces.id', 'links.workspace_id')
    .leftJoin('folders', (join) =>
      join.onRef('folders.id', '=', 'links.folder_id').on('folders.deleted_at', 'is', null),
    )
    .selectAll('links')
    .select(['folders.name as folder_name', 'workspaces.max_bytes as workspace_max_bytes'])
    .select((select) =>
      select
        .selectFrom('link_files')
        .select((of) => of.fn.countAll<number>().as('count'))
        .whereRef('link_files.link_id', '=', 'links.id')
        .as('file_count'),
    );
}

type LinkRow = Selectable<LinksTable> & {
  folder_name: string | null;
  workspace_max_bytes: number | null;
  file_count: number | null;
};

export function foundLink(row: LinkRow): FoundLink {
  return {
    ...linkFromRow(row),
    folderName: row.folder_name,
    fileCount: row.file_count ?? 0,
    workspaceMaxBytes: row.workspace_max_bytes,
  };
}

export function linkFromRow(row: Selectable<LinksTable>): StoredLink {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    token: row.token,
    folderId: row.folder_id,
    access: row.access,
    title: row.title,
    message: row.message,
    passwordHash: row.password_hash,
    expiresAt: row.expires_at,
    maxDownloads: row.max_downloads,
    downloadCount: row.download_count,
    maxBytes: row.max_bytes,
    maxFiles: row.max_files,
    uploadCount: row.upload_count,
    uploadedBytes: row.uploaded_bytes,
    createdBy: row.created_by,
    dateCreated: row.date_created,
  };
}
