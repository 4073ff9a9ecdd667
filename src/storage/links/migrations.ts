import type { Migration } from '../../kernel/database/migrate.ts';

export const linkMigrations: readonly Migration[] = [
  {
    name: '0022_links',
    kind: 'expand',
    up: [
      // Without a reference to folders, whose rows are moved to the trash and back.
      `create table links (
          id text primary key, workspace_id text not null references workspaces (id) on delete cascade,
          token text not null unique, folder_id text, access text not null,
          title text, message text, password_hash text, expires_at bigint, max_downloads integer,
          download_count integer default 0 not null, max_bytes bigint, max_files integer,
          upload_count integer default 0 not null, uploaded_bytes bigint default 0 not null, created_by text,
          date_created bigint not null)`,
      'create index links_workspace on links (workspace_id, id)',
      'create index links_folder on links (folder_id) where folder_id is not null',
      `create table link_files (
          link_id text not null references links (id) on delete cascade,
          file_id text not null references files (id) on delete cascade,
          constraint link_files_key primary key (link_id, file_id))`,
      'create index link_files_file on link_files (file_id)',
      `create table link_grants (
          link_id text not null references links (id) on delete cascade, visitor text not null,
          expires_at bigint not null, constraint link_grants_key primary key (link_id, visitor))`,
      `create index files_protected on files (folder_id)
          where deleted_at is null and (password_hash is not null or access_key is not null)`,
    ],
  },
  {
    name: '0028_link_uploads',
    kind: 'expand',
    up: [
      'alter table files add column sender text',
      'alter table links add column notice_at bigint',
      'alter table links add column noticed_uploads integer default 0 not null',
      'create index links_notices on links (notice_at) where notice_at is not null',
    ],
  },
  {
    name: '0031_resumable_link_uploads',
    kind: 'expand',
    up: ['link_id', 'sender'].map((column) => `alter table uploads add column ${column} text`),
  },
];
