import type { Generated } from 'kysely';

declare module '../kernel/database/database.ts' {
  interface Tables {
    workspaces: WorkspacesTable;
    memberships: MembershipsTable;
    folders: FoldersTable;
    folder_copies: FolderCopiesTable;
    files: FilesTable;
    reservations: ReservationsTable;
    download_grants: DownloadGrantsTable;
    orphans: OrphansTable;
    blob_deletions: BlobDeletionsTable;
    workspace_tokens: WorkspaceTokensTable;
    file_versions: FileVersionsTable;
    trash_trees: TrashTreesTable;
    trash_folders: TrashFoldersTable;
  }
}

export interface WorkspacesTable {
  id: string;
  name: string;
  root_folder_id: string;
  /** Bytes; null = the server's default. */
  max_bytes: number | null;
  /** Sum of the sizes of its files that are not deleted. */
  used_bytes: number;
  /** Sum of the sizes of its deleted files that can be restored. */
  trash_bytes: Generated<number>;
  /** Files that were deleted at this time or before are erased and cannot be restored. */
  trash_since: Generated<number>;
  /** 1 = rows of erased files may be left. */
  is_erasing: Generated<number>;
  /** Bytes of erased files and of replaced contents that are still in the blob store. */
  erased_bytes: Generated<number>;
  /** Sum of the sizes of the versions of its files. */
  version_bytes: Generated<number>;
  /** The tree whose rows are being moved to the trash or back, one at a time; null = none. */
  moving_tree_id: Generated<string | null>;
  date_created: number;
  /** 1 = the personal workspace of an account. */
  is_personal: Generated<number>;
  /** The account that created it; null = the server. */
  created_by: Generated<string | null>;
  /**
   * Null = not deleted. A deleted one is erased after the days of the trash. Not `deleted_at`, which older programs
   * select from files joined with workspaces.
   */
  date_deleted: Generated<number | null>;
}

export interface MembershipsTable {
  workspace_id: string;
  /** An account, or a token of the workspace. */
  account_id: string;
  /** `owner` = of a personal workspace. */
  role: 'owner' | 'manager' | 'editor' | 'viewer';
}

export interface FoldersTable {
  id: string;
  workspace_id: string;
  /** Null = the root of its workspace. */
  parent_id: string | null;
  /** Name exactly as given. */
  name: string;
  /** `nameKey(name)`, unique among siblings. */
  name_key: string;
  date_created: number;
  /** Set by earlier versions only, which then delete the row: a deleted folder moves to `trash_folders`. */
  deleted_at: Generated<number | null>;
  /** The member that created it; null = unknown. */
  created_by: Generated<string | null>;
  /** Id of a move to another workspace that has not moved all of the folder's content yet; null = none. */
  move_id: Generated<string | null>;
}

/** Folders that are incomplete copies. The row is deleted with its folder, also when that moves to the trash. */
export interface FolderCopiesTable {
  id: string;
  lease_until: number;
}

/** Folders in the trash, each an entry with everything that was in it. */
export interface TrashTreesTable {
  /** Id of the deleted folder. */
  id: string;
  workspace_id: string;
  name: string;
  /** The folders above it, as in `files.place`. */
  place: string;
  /** Sums of the files in it. */
  size_bytes: number;
  file_count: number;
  deleted_at: number;
  /** The account; null = unknown. */
  deleted_by: string | null;
  /** `removing`, `restoring` = the tree that moves; `erasing` = erased, rows may be left. */
  state: 'removing' | 'kept' | 'restoring' | 'erasing';
}

/** The folders of the trees in the trash: rows of `folders`, which are restored unchanged. */
export interface TrashFoldersTable extends Omit<FoldersTable, 'deleted_at'> {
  tree_id: string;
  /** 1 = some of its content may still have to be moved. */
  is_open: number;
}

/** In this order: not needed, to be rendered, rendered, impossible. */
export type RenditionState = 'none' | 'pending' | 'made' | 'failed';

export interface FilesTable {
  id: string;
  workspace_id: string;
  folder_id: string;
  /** Name exactly as given. */
  original_name: string;
  /** `nameKey(original_name)`, for sorting and searching. */
  name_key: string;
  size_bytes: number;
  mime_type: string;
  /** 0 = private, 1 = public. */
  visibility: number;
  blob_key: string;
  /** Base64 of 32 bytes. */
  sha256: string;
  /** Unsigned. */
  crc32: number;
  direct_token: string;
  ui_token: string;
  /** Argon2id. */
  password_hash: string | null;
  /** Sealed by the vault. */
  access_key: string | null;
  expires_at: number | null;
  max_downloads: number | null;
  /** Name of the sender on the page of the file; null = none. */
  shared_by: Generated<string | null>;
  download_count: number;
  thumbnail_state: RenditionState;
  thumbnail_key: string | null;
  thumbnail_attempts: number;
  thumbnail_lease_until: number | null;
  /** Key of the blob that the preview was rendered from, or could not be. Other than `blob_key` = to be rendered. */
  preview_of: Generated<string | null>;
  /** Null = could not be rendered. */
  preview_key: Generated<string | null>;
  /** Key of the blob whose facts were read, for audio and video. Other than `blob_key` = to be read. */
  facts_of: Generated<string | null>;
  /** Pixels of a picture, upright; null = not read yet, or no picture; 0 = unreadable. */
  width: Generated<number | null>;
  height: Generated<number | null>;
  /** Time at which a picture was taken: the camera's local time, in milliseconds as if it were UTC. */
  taken_at: Generated<number | null>;
  /** Minutes between that local time and UTC; null = unknown. */
  taken_offset: Generated<number | null>;
  /** Maker and model. */
  camera: Generated<string | null>;
  /** WebP of a few pixels in base64, for a picture; null = not rendered yet. */
  placeholder: Generated<string | null>;
  /** Playing time of audio and video. */
  duration_ms: Generated<number | null>;
  date_created: number;
  date_modified: number;
  /** Time at which it got its present bytes; null = `date_created`. */
  content_date: Generated<number | null>;
  /** Null = not deleted. */
  deleted_at: number | null;
  /** The member that uploaded it; null = unknown, or a visitor of a link. */
  created_by: Generated<string | null>;
  /** Name given by the visitor who sent it through a link; null = none. */
  sender: Generated<string | null>;
  /** The member that last changed it; null = unknown. */
  modified_by: Generated<string | null>;
  /** The account; null = unknown, or deleted with a folder. */
  deleted_by: Generated<string | null>;
  /** The tree in the trash that it belongs to; null = none. */
  trash_id: Generated<string | null>;
  /** Former path of a deleted file: JSON of `{id, name}` of the folders, without the root; null = unknown. */
  place: Generated<string | null>;
}

/** Former bytes of files. */
export interface FileVersionsTable {
  id: string;
  file_id: string;
  workspace_id: string;
  blob_key: string;
  size_bytes: number;
  mime_type: string;
  /** Base64 of 32 bytes. */
  sha256: string;
  /** Unsigned. */
  crc32: number;
  /** Time at which they became the bytes of the file. */
  date_created: number;
  date_replaced: number;
  /** The member; null = unknown. */
  replaced_by: string | null;
}

/** Space reserved for uploads in progress. A lease, so that the space of a dead process becomes free. */
export interface ReservationsTable {
  id: string;
  workspace_id: string;
  bytes: number;
  /** The process that holds it; null = none, so that no restart ends it. */
  owner: string | null;
  lease_until: number;
}

/** Visitors who have begun to download a file with a download limit. */
export interface DownloadGrantsTable {
  file_id: string;
  /** HMAC of address and user agent. */
  visitor: string;
  expires_at: number;
}

/** Blobs that the last passes of the sweeper found without a row. */
export interface OrphansTable {
  blob_key: string;
  /** Time of its discovery. */
  since: number;
}

/** Unreferenced blobs to be deleted. */
export interface BlobDeletionsTable {
  blob_key: string;
  workspace_id: string;
  /** Counted in `erased_bytes` of the workspace; 0 for a rendition. */
  size_bytes: number;
  date_created: number;
}

/** Access tokens of workspaces. Each has a membership in its workspace under its id. */
export interface WorkspaceTokensTable {
  id: string;
  workspace_id: string;
  name: string;
  token_hash: string;
  /** The account that created it; null = the command line. */
  created_by: string | null;
  date_created: number;
  date_used: number | null;
  /** Null = never. */
  expires_at: number | null;
}
