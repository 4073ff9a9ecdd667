import { isPostgres, type Migration, runStatements } from '../kernel/database/migrate.ts';
import { renditionMigrations } from './delivery/renditions/migrations.ts';
import { linkMigrations } from './links/migrations.ts';
import { searchMigrations } from './search/migrations.ts';

const OF_WORKSPACE = 'workspace_id text not null references workspaces (id) on delete cascade';

export const storageMigrations: readonly Migration[] = [
  ...linkMigrations,
  ...renditionMigrations,
  ...searchMigrations,
  {
    name: '0003_storage',
    kind: 'expand',
    up(schema) {
      // Text compared byte by byte, as in SQLite, for any collation of a PostgreSQL database.
      const binaryText = isPostgres(schema) ? 'text collate "C"' : 'text';
      return runStatements(schema, [
        `create table workspaces (
          id text primary key, name text not null, root_folder_id text not null, max_bytes bigint,
          used_bytes bigint not null, date_created bigint not null)`,
        `create table memberships (
          ${OF_WORKSPACE}, account_id text not null, role text not null,
          constraint memberships_key primary key (account_id, workspace_id))`,
        `create table folders (
          id text primary key, ${OF_WORKSPACE}, parent_id text, name text not null,
          name_key ${binaryText} not null, date_created bigint not null)`,
        'create unique index folders_siblings on folders (parent_id, name_key)',
        `create table files (
          id text primary key, ${OF_WORKSPACE}, folder_id text not null, original_name text not null,
          name_key ${binaryText} not null, size_bytes bigint not null, mime_type ${binaryText} not null,
          visibility integer not null, blob_key text not null, sha256 text not null, crc32 bigint not null,
          direct_token text not null unique, ui_token text not null unique, password_hash text, access_key text,
          expires_at bigint, max_downloads integer, download_count integer not null,
          thumbnail_state text not null, thumbnail_key text, thumbnail_attempts integer not null,
          thumbnail_lease_until bigint, date_created bigint not null, date_modified bigint not null,
          deleted_at bigint)`,
        // One index per sort order of a listing, so that every page is one range scan.
        ...['name_key', 'size_bytes', 'date_created', 'mime_type'].map(
          (column) =>
            `create index files_by_${column} on files (folder_id, ${column}, id) where deleted_at is null`,
        ),
        'create index files_deleted on files (workspace_id, deleted_at) where deleted_at is not null',
        `create index files_thumbnails on files (thumbnail_lease_until) where thumbnail_state = 'pending'`,
        'create index files_blob on files (blob_key)',
        'create index files_thumbnail_blob on files (thumbnail_key) where thumbnail_key is not null',
        `create table reservations (
          id text primary key, ${OF_WORKSPACE}, bytes bigint not null, owner text, lease_until bigint not null)`,
        'create index reservations_workspace on reservations (workspace_id)',
        `create table download_grants (
          file_id text not null references files (id) on delete cascade, visitor text not null,
          expires_at bigint not null, constraint download_grants_key primary key (file_id, visitor))`,
      ]);
    },
  },
  {
    name: '0006_uploads',
    kind: 'expand',
    up: [
      `create table uploads (
          id text primary key, account_id text not null, ${OF_WORKSPACE}, folder_id text not null,
          replace_file_id text, file_name text not null, media_type text, visibility integer not null,
          metadata text not null, size_bytes bigint not null, offset_bytes bigint not null, file_id text,
          lock_owner text, lock_until bigint, date_created bigint not null, expires_at bigint not null)`,
      'create index uploads_expiry on uploads (expires_at)',
      `create table upload_parts (
          upload_id text not null references uploads (id) on delete cascade, start_byte bigint not null,
          size_bytes bigint not null, blob_key text not null,
          constraint upload_parts_key primary key (upload_id, start_byte))`,
      'create index upload_parts_blob on upload_parts (blob_key)',
    ],
  },
  {
    name: '0011_orphans',
    kind: 'expand',
    up: ['create table orphans (blob_key text primary key, since bigint not null)'],
  },
  {
    name: '0012_trash_space',
    kind: 'expand',
    up: [
      ...['trash_bytes bigint', 'trash_since bigint', 'is_erasing integer', 'erased_bytes bigint'].map(
        (column) => `alter table workspaces add column ${column} not null default 0`,
      ),
      'create index workspaces_erasing on workspaces (id) where is_erasing = 1',
      `update workspaces set trash_bytes = (
          select coalesce(sum(size_bytes), 0) from files
          where files.workspace_id = workspaces.id and deleted_at is not null)`,
      // Includes the sizes, so that a deletion can sum up the trash from the index alone.
      'drop index files_deleted',
      `create index files_deleted on files (workspace_id, deleted_at, size_bytes) where deleted_at is not null`,
      `create table blob_deletions (
          blob_key text primary key, workspace_id text not null, size_bytes bigint not null,
          date_created bigint not null)`,
      'create index blob_deletions_age on blob_deletions (date_created)',
    ],
  },
  {
    name: '0013_folder_removal',
    kind: 'expand',
    up: [
      'alter table folders add column deleted_at bigint',
      'drop index folders_siblings',
      'create unique index folders_siblings on folders (parent_id, name_key) where deleted_at is null',
      'create index folders_deleted on folders (workspace_id, deleted_at) where deleted_at is not null',
    ],
  },
  {
    name: '0014_upload_wanted',
    kind: 'expand',
    up: ['alter table uploads add column lock_wanted integer default 0 not null'],
  },
  {
    name: '0015_upload_protection',
    kind: 'expand',
    up: [
      'alter table uploads add column password_hash text',
      'alter table uploads add column with_access_key integer',
    ],
  },
  {
    name: '0016_teams',
    kind: 'expand',
    up: [
      'alter table workspaces add column is_personal integer default 1 not null',
      'alter table workspaces add column created_by text',
      'alter table workspaces add column date_deleted bigint',
      'create index workspaces_deleted on workspaces (date_deleted) where date_deleted is not null',
      'create index workspaces_creator on workspaces (created_by) where created_by is not null',
      'create index memberships_workspace on memberships (workspace_id)',
      'alter table folders add column created_by text',
      'alter table folders add column move_id text',
      'create index folders_moving on folders (workspace_id) where move_id is not null',
      'alter table files add column created_by text',
      'alter table files add column modified_by text',
      `create table workspace_tokens (
          id text primary key, ${OF_WORKSPACE}, name text not null, token_hash text not null unique,
          created_by text, date_created bigint not null, date_used bigint, expires_at bigint)`,
      'create index workspace_tokens_workspace on workspace_tokens (workspace_id)',
    ],
  },
  {
    name: '0017_newest_files',
    kind: 'expand',
    up: [
      'create index files_newest on files (workspace_id, id) where deleted_at is null',
      `create index files_shared on files (workspace_id, id)
          where deleted_at is null and (visibility = 1 or access_key is not null)`,
    ],
  },
  {
    name: '0018_trash_trees',
    kind: 'expand',
    up: [
      'alter table workspaces add column moving_tree_id text',
      'create index workspaces_moving on workspaces (id) where moving_tree_id is not null',
      `create table trash_trees (
          id text primary key, ${OF_WORKSPACE}, name text not null, place text not null,
          size_bytes bigint not null, file_count bigint not null, deleted_at bigint not null, deleted_by text,
          state text not null)`,
      'create index trash_trees_age on trash_trees (workspace_id, deleted_at)',
      `create table trash_folders (
          id text primary key, tree_id text not null references trash_trees (id) on delete cascade,
          ${OF_WORKSPACE}, parent_id text, name text not null, name_key text not null,
          date_created bigint not null, created_by text, move_id text, is_open integer not null)`,
      'create index trash_folders_tree on trash_folders (tree_id)',
      'create index trash_folders_open on trash_folders (tree_id) where is_open = 1',
      ...['deleted_by', 'trash_id', 'place'].map((column) => `alter table files add column ${column} text`),
      'create index files_of_tree on files (trash_id) where trash_id is not null',
      `create index files_deleted_alone on files (workspace_id, deleted_at, size_bytes)
          where deleted_at is not null and trash_id is null`,
    ],
  },
  {
    name: '0019_upload_conflict',
    kind: 'expand',
    up: [
      'alter table uploads add column keeps_visibility integer',
      'alter table uploads add column on_conflict text',
    ],
  },
  {
    name: '0020_shared_by',
    kind: 'expand',
    up: ['alter table files add column shared_by text'],
  },
  {
    name: '0021_versions',
    kind: 'expand',
    up: [
      'alter table workspaces add column version_bytes bigint not null default 0',
      'alter table files add column content_date bigint',
      // Without a foreign key to files: older programs leave rows behind, which are deleted after the days of
      // versions.
      `create table file_versions (
          id text primary key, file_id text not null, ${OF_WORKSPACE}, blob_key text not null,
          size_bytes bigint not null, mime_type text not null, sha256 text not null, crc32 bigint not null,
          date_created bigint not null, date_replaced bigint not null, replaced_by text)`,
      'create index file_versions_file on file_versions (file_id, date_replaced)',
      'create index file_versions_age on file_versions (workspace_id, date_replaced)',
      'create index file_versions_end on file_versions (date_replaced)',
      'create index file_versions_blob on file_versions (blob_key)',
    ],
  },
  {
    name: '0026_unfinished_uploads',
    kind: 'expand',
    up: ['create index uploads_unfinished on uploads (account_id) where file_id is null'],
  },
  {
    name: '0042_indexes_for_few_rows',
    kind: 'expand',
    up: [
      ...['download_grants', 'link_grants'].map(
        (table) => `create index ${table}_expiry on ${table} (expires_at)`,
      ),
      // Of two indexes with the same columns, SQLite may use the one of all files.
      'drop index files_protected',
      `create index files_protected on files (folder_id, deleted_at, password_hash, access_key)
          where deleted_at is null and (password_hash is not null or access_key is not null)`,
      `create index files_shared_in_folder on files (workspace_id, folder_id, id)
          where deleted_at is null and (visibility = 1 or access_key is not null)`,
    ],
  },
  {
    name: '0043_folder_copies',
    kind: 'expand',
    up: [
      `create table folder_copies (
          id text primary key references folders (id) on delete cascade, lease_until bigint not null)`,
    ],
  },
  {
    name: '0050_upload_part_checksums',
    kind: 'expand',
    up: ['alter table upload_parts add column crc32 bigint'],
  },
];
