import { z } from 'zod';
import type { Row } from '../kernel/database/snapshot.ts';

/*
 * A backup is a directory that fits either database and either blob store:
 *   manifest.json         what is in it, with the checksum of each file
 *   manifest.sha256       the checksum of the manifest, as sha256sum writes it
 *   tables/NAME.jsonl     a row a line
 *   blobs.jsonl           a blob a line: key, size, checksum
 *   blobs/xx/KEY          its bytes; xx are the last two letters of the key
 *   secret.key            the server key (mode 0600), unless it was left out
 */
export const FORMAT = 'posthouse backup 1';
export const MANIFEST = 'manifest.json';
export const MANIFEST_SUM = 'manifest.sha256';
export const BLOB_LIST = 'blobs.jsonl';

/** Tables that are no part of a backup: what the runner of migrations keeps, and holds, the backup's own among them. */
export const LEFT_OUT: readonly string[] = ['migrations', 'migrations_lock', 'holds'];

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

export const manifestSchema = z.object({
  format: z.literal(FORMAT),
  /** Of the program that made it. */
  version: z.string(),
  dateCreated: z.string(),
  /** The steps of the schema that the rows fit. */
  migrations: z.array(z.string()),
  tables: z.array(z.object({ name: z.string().regex(/^\w+$/), rows: z.int().min(0), sha256 })),
  blobs: z.object({ count: z.int().min(0), bytes: z.int().min(0), sha256 }),
  /** Checksum of the key file; null = left out, or the key is a setting. */
  key: sha256.nullable(),
});

export type Manifest = z.infer<typeof manifestSchema>;

export const blobSchema = z.object({ key: z.string().regex(/^[\w.-]+$/), size: z.int().min(0), sha256 });

export type BlobEntry = z.infer<typeof blobSchema>;

export function tablePath(name: string): string {
  return `tables/${name}.jsonl`;
}

/** The last letters of a key are random, unlike the first, so that the directories fill evenly. */
export function blobPath(key: string): string {
  return `blobs/${key.slice(-2)}/${key}`;
}

/** A row as a line without its end; bytes as `{"base64": "…"}`. */
export function rowToLine(row: Row): string {
  return JSON.stringify(row, function (this: Row, name, shown: unknown) {
    // `shown` has gone through the toJSON of a Buffer already.
    const value = this[name];
    return value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : shown;
  });
}

/** @throws Error when the line is no row */
export function lineToRow(line: string): Row {
  const row: unknown = JSON.parse(line);
  if (row === null || typeof row !== 'object' || Array.isArray(row)) throw new Error('a line is no object');
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const base64 = value !== null && typeof value === 'object' ? (value as { base64?: unknown }).base64 : undefined;
      return [name, typeof base64 === 'string' ? Buffer.from(base64, 'base64') : value];
    }),
  );
}
