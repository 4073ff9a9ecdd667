import { PostgresAdapter, sql } from 'kysely';
import type { Schema } from '../kernel/database/database.ts';
import type { Migration } from '../kernel/database/migrate.ts';
import { createUploadTables, type UploadPartsTable, type UploadsTable } from './uploads/tables.ts';

declare module '../kernel/database/database.ts' {
  interface Tables {
    workspaces: WorkspacesTable;
    memberships: MembershipsTable;
    folders: FoldersTable;
    files: FilesTable;
    reservations: ReservationsTable;
    download_grants: DownloadGrantsTable;
    uploads: UploadsTable;
    upload_parts: UploadPartsTable;
  }
}

export interface WorkspacesTable {
  id: string;
  name: string;
  root_folder_id: string;
  /** Bytes; null = the setting. */
  max_bytes: number | null;
  /** The sum of the sizes of its files that are not deleted. */
  used_bytes: number;
  date_created: number;
}

export interface MembershipsTable {
  workspace_id: string;
  account_id: string;
  role: 'owner' | 'editor' | 'viewer';
}

export interface FoldersTable {
  id: string;
  workspace_id: string;
  /** Null = the root of its workspace. */
  parent_id: string | null;
  /** Exactly as given. */
  name: string;
  /** What siblings may not share: the name in NFC without regard to case. */
  name_key: string;
  date_created: number;
}

export interface FilesTable {
  id: string;
  workspace_id: string;
  folder_id: string;
  /** Exactly as given. */
  original_name: string;
  /** What names are sorted and searched by. */
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
  download_count: number;
  /** A picture's thumbnail: none is to be made, it is waited for, it is there, it cannot be made. */
  thumbnail_state: 'none' | 'pending' | 'made' | 'failed';
  thumbnail_key: string | null;
  thumbnail_attempts: number;
  thumbnail_lease_until: number | null;
  date_created: number;
  date_modified: number;
  /** Null = it is not deleted. */
  deleted_at: number | null;
}

/** Bytes that uploads under way may come to need. A lease, so that those of a dead process are given back. */
export interface ReservationsTable {
  id: string;
  workspace_id: string;
  bytes: number;
  /** The process that holds it; null = none in particular, so that no restart ends it. */
  owner: string | null;
  lease_until: number;
}

/** Who has begun to download a file that may be downloaded only so many times. */
export interface DownloadGrantsTable {
  file_id: string;
  /** HMAC of address and user agent. */
  visitor: string;
  expires_at: number;
}

export const storageMigrations: readonly Migration[] = [
  {
    name: '0003_storage',
    async up(schema) {
      await createWorkspaces(schema);
      await createFolders(schema);
      await createFiles(schema);
      await schema.schema
        .createTable('reservations')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('workspace_id', 'text', (c) => c.notNull().references('workspaces.id').onDelete('cascade'))
        .addColumn('bytes', 'bigint', (c) => c.notNull())
        .addColumn('owner', 'text')
        .addColumn('lease_until', 'bigint', (c) => c.notNull())
        .execute();
      await schema.schema.createIndex('reservations_workspace').on('reservations').column('workspace_id').execute();
      await schema.schema
        .createTable('download_grants')
        .addColumn('file_id', 'text', (c) => c.notNull().references('files.id').onDelete('cascade'))
        .addColumn('visitor', 'text', (c) => c.notNull())
        .addColumn('expires_at', 'bigint', (c) => c.notNull())
        .addPrimaryKeyConstraint('download_grants_key', ['file_id', 'visitor'])
        .execute();
    },
  },
  { name: '0006_uploads', up: createUploadTables },
];

async function createWorkspaces(schema: Schema): Promise<void> {
  await schema.schema
    .createTable('workspaces')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('root_folder_id', 'text', (c) => c.notNull())
    .addColumn('max_bytes', 'bigint')
    .addColumn('used_bytes', 'bigint', (c) => c.notNull())
    .addColumn('date_created', 'bigint', (c) => c.notNull())
    .execute();
  await schema.schema
    .createTable('memberships')
    .addColumn('workspace_id', 'text', (c) => c.notNull().references('workspaces.id').onDelete('cascade'))
    .addColumn('account_id', 'text', (c) => c.notNull())
    .addColumn('role', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('memberships_key', ['account_id', 'workspace_id'])
    .execute();
}

async function createFolders(schema: Schema): Promise<void> {
  await schema.schema
    .createTable('folders')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('workspace_id', 'text', (c) => c.notNull().references('workspaces.id').onDelete('cascade'))
    .addColumn('parent_id', 'text')
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('name_key', binaryText(schema), (c) => c.notNull())
    .addColumn('date_created', 'bigint', (c) => c.notNull())
    .execute();
  await schema.schema.createIndex('folders_siblings').unique().on('folders').columns(['parent_id', 'name_key']).execute();
}

async function createFiles(schema: Schema): Promise<void> {
  await schema.schema
    .createTable('files')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('workspace_id', 'text', (c) => c.notNull().references('workspaces.id').onDelete('cascade'))
    .addColumn('folder_id', 'text', (c) => c.notNull())
    .addColumn('original_name', 'text', (c) => c.notNull())
    .addColumn('name_key', binaryText(schema), (c) => c.notNull())
    .addColumn('size_bytes', 'bigint', (c) => c.notNull())
    .addColumn('mime_type', binaryText(schema), (c) => c.notNull())
    .addColumn('visibility', 'integer', (c) => c.notNull())
    .addColumn('blob_key', 'text', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('crc32', 'bigint', (c) => c.notNull())
    .addColumn('direct_token', 'text', (c) => c.notNull().unique())
    .addColumn('ui_token', 'text', (c) => c.notNull().unique())
    .addColumn('password_hash', 'text')
    .addColumn('access_key', 'text')
    .addColumn('expires_at', 'bigint')
    .addColumn('max_downloads', 'integer')
    .addColumn('download_count', 'integer', (c) => c.notNull())
    .addColumn('thumbnail_state', 'text', (c) => c.notNull())
    .addColumn('thumbnail_key', 'text')
    .addColumn('thumbnail_attempts', 'integer', (c) => c.notNull())
    .addColumn('thumbnail_lease_until', 'bigint')
    .addColumn('date_created', 'bigint', (c) => c.notNull())
    .addColumn('date_modified', 'bigint', (c) => c.notNull())
    .addColumn('deleted_at', 'bigint')
    .execute();
  // One for each order of a listing, so that every page of every order is one walk along an index.
  for (const column of ['name_key', 'size_bytes', 'date_created', 'mime_type']) {
    await sql`create index ${sql.ref(`files_by_${column}`)} on files (folder_id, ${sql.ref(column)}, id) where deleted_at is null`.execute(
      schema,
    );
  }
  await sql`create index files_deleted on files (workspace_id, deleted_at) where deleted_at is not null`.execute(schema);
  await sql`create index files_thumbnails on files (thumbnail_lease_until) where thumbnail_state = 'pending'`.execute(schema);
  await schema.schema.createIndex('files_blob').on('files').column('blob_key').execute();
  await sql`create index files_thumbnail_blob on files (thumbnail_key) where thumbnail_key is not null`.execute(schema);
}

/** Text that compares byte by byte, as SQLite's does, whatever the language of a PostgreSQL database. */
function binaryText(schema: Schema) {
  return schema.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : 'text';
}
