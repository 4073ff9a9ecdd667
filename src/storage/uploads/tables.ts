import type { Schema } from '../../kernel/database/database.ts';

/** Resumable uploads under way, and for a while those that have become files. */
export interface UploadsTable {
  id: string;
  account_id: string;
  workspace_id: string;
  folder_id: string;
  /** The file that gets the bytes; null = a new one is made. */
  replace_file_id: string | null;
  file_name: string;
  /** The client's claim; null = none. */
  media_type: string | null;
  visibility: number;
  /** The `Upload-Metadata` as it came. */
  metadata: string;
  size_bytes: number;
  /** How many of them have come, without a gap. */
  offset_bytes: number;
  /** The file that it became. */
  file_id: string | null;
  /** Which request may write, and until when unless it says so again. */
  lock_owner: string | null;
  lock_until: number | null;
  date_created: number;
  expires_at: number;
}

/** The bytes that have come, as blobs of their own until the upload is whole. */
export interface UploadPartsTable {
  upload_id: string;
  /** Where in the upload it begins. */
  start_byte: number;
  size_bytes: number;
  blob_key: string;
}

export async function createUploadTables(schema: Schema): Promise<void> {
  await schema.schema
    .createTable('uploads')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.notNull())
    .addColumn('workspace_id', 'text', (c) => c.notNull().references('workspaces.id').onDelete('cascade'))
    .addColumn('folder_id', 'text', (c) => c.notNull())
    .addColumn('replace_file_id', 'text')
    .addColumn('file_name', 'text', (c) => c.notNull())
    .addColumn('media_type', 'text')
    .addColumn('visibility', 'integer', (c) => c.notNull())
    .addColumn('metadata', 'text', (c) => c.notNull())
    .addColumn('size_bytes', 'bigint', (c) => c.notNull())
    .addColumn('offset_bytes', 'bigint', (c) => c.notNull())
    .addColumn('file_id', 'text')
    .addColumn('lock_owner', 'text')
    .addColumn('lock_until', 'bigint')
    .addColumn('date_created', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute();
  await schema.schema.createIndex('uploads_expiry').on('uploads').column('expires_at').execute();
  await schema.schema
    .createTable('upload_parts')
    .addColumn('upload_id', 'text', (c) => c.notNull().references('uploads.id').onDelete('cascade'))
    .addColumn('start_byte', 'bigint', (c) => c.notNull())
    .addColumn('size_bytes', 'bigint', (c) => c.notNull())
    .addColumn('blob_key', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('upload_parts_key', ['upload_id', 'start_byte'])
    .execute();
  await schema.schema.createIndex('upload_parts_blob').on('upload_parts').column('blob_key').execute();
}
