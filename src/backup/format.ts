import { z } from 'zod';

/*
 * A backup is a directory that can be restored into either database and either blob store:
 *   manifest.json         contents, with the checksum of each file
 *   manifest.sha256       the checksum of the manifest, as sha256sum writes it
 *   tables/NAME.jsonl     one row per line
 *   blobs.jsonl           one blob per line: key, size, checksum
 *   blobs/xx/KEY          bytes of a blob; xx are the last two letters of the key
 *   secret.key            the server key (mode 0600), unless it was left out
 */
export const FORMAT = 'posthouse backup 1';
export const MANIFEST = 'manifest.json';
export const MANIFEST_SUM = 'manifest.sha256';
export const BLOB_LIST = 'blobs.jsonl';

/**
 * Tables left out of a backup: the state of migrations, upkeep and running nodes, holds, which include the backup's
 * own, and the tables of the search, which are built again.
 */
export const LEFT_OUT: readonly string[] = [
  'migrations',
  'holds',
  'upkeep',
  'orphans',
  'signals',
  'slots',
  'search_blocks',
  'search_files',
  'search_parts',
  'search_changes',
];

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

export const manifestSchema = z.object({
  format: z.literal(FORMAT),
  /** Version of Posthouse that wrote the backup. */
  version: z.string(),
  dateCreated: z.string(),
  /** Migrations of the schema that the rows fit. */
  migrations: z.array(z.string()),
  tables: z.array(z.object({ name: z.string().regex(/^\w+$/), rows: z.int().min(0), sha256 })),
  blobs: z.object({ count: z.int().min(0), bytes: z.int().min(0), sha256 }),
  /** Checksum of the key file; null = left out, or the key is set by POSTHOUSE_SECRET. */
  key: sha256.nullable(),
});

export type Manifest = z.infer<typeof manifestSchema>;

export const blobSchema = z.object({ key: z.string().regex(/^[\w.-]+$/), size: z.int().min(0), sha256 });

export type BlobEntry = z.infer<typeof blobSchema>;

export function tablePath(name: string): string {
  return `tables/${name}.jsonl`;
}

/** Spreads blobs by the last letters of their keys, which are random, unlike the first. */
export function blobPath(key: string): string {
  return `blobs/${key.slice(-2)}/${key}`;
}
