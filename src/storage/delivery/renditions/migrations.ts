import type { Migration } from '../../../kernel/database/migrate.ts';

/** When a picture was taken; for other files, when they were added. */
const TAKEN = 'coalesce(taken_at, date_created)';
const IS_VISUAL = "substr(mime_type, 1, 6) in ('image/', 'video/')";
const IS_PLAYED = "substr(mime_type, 1, 6) in ('audio/', 'video/')";

export const renditionMigrations: readonly Migration[] = [
  {
    name: '0025_pictures',
    kind: 'expand',
    up: [
      ...['width integer', 'height integer', 'taken_at bigint', 'taken_offset integer', 'camera text'].map(
        (column) => `alter table files add column ${column}`,
      ),
      `create index files_by_taken on files (folder_id, ${TAKEN}, id) where deleted_at is null`,
      `create index files_timeline on files (workspace_id, ${TAKEN}) where deleted_at is null and ${IS_VISUAL}`,
      // Pictures whose thumbnail is older than these columns.
      `create index files_unread_pictures on files (thumbnail_lease_until)
          where thumbnail_state = 'made' and width is null`,
    ],
  },
  {
    name: '0029_previews',
    kind: 'expand',
    up: [
      ...['preview_of', 'preview_key'].map((column) => `alter table files add column ${column} text`),
      'create index files_preview_blob on files (preview_key) where preview_key is not null',
      `create index files_without_preview on files (thumbnail_lease_until)
          where thumbnail_state = 'made' and deleted_at is null and (preview_of is null or preview_of <> blob_key)`,
      // Rendering the preview reads the facts, too.
      'drop index files_unread_pictures',
    ],
  },
  {
    name: '0032_renditions_by_workspace',
    kind: 'expand',
    up: [
      `create index files_pictures on files (workspace_id, thumbnail_lease_until)
          where thumbnail_state = 'pending' and deleted_at is null`,
      `create index files_pictures_without_preview on files (workspace_id, thumbnail_lease_until)
          where thumbnail_state = 'made' and deleted_at is null and (preview_of is null or preview_of <> blob_key)`,
    ],
  },
  {
    name: '0033_media_facts',
    kind: 'expand',
    up: [
      'alter table files add column duration_ms bigint',
      'alter table files add column facts_of text',
      `create index files_without_facts on files (workspace_id, thumbnail_lease_until) where ${IS_PLAYED}
          and thumbnail_state = 'none' and deleted_at is null and (facts_of is null or facts_of <> blob_key)`,
    ],
  },
  {
    name: '0035_placeholders',
    kind: 'expand',
    up: [
      'alter table files add column placeholder text',
      ...['files_without_preview', 'files_pictures_without_preview'].map((index) => `drop index ${index}`),
      `create index files_pictures_to_preview on files (workspace_id, thumbnail_lease_until)
          where thumbnail_state = 'made' and deleted_at is null and (preview_of is null or preview_of <> blob_key
          or (preview_key is not null and placeholder is null))`,
    ],
  },
];
