import type { Row } from '../kernel/database/snapshot.ts';

/** A blob that a row needs. */
export interface Reference {
  key: string;
  /** Null = the row does not tell. */
  size: number | null;
  /** Hex; null = the row does not tell. */
  sha256: string | null;
}

/** The blobs that a row of `table` needs. */
export function referencesOf(table: string, row: Row): Reference[] {
  if (table !== 'files') return [];
  const { blob_key, size_bytes, sha256, thumbnail_key } = row;
  return [
    ...(typeof blob_key === 'string'
      ? [
          {
            key: blob_key,
            size: Number(size_bytes),
            sha256: typeof sha256 === 'string' ? Buffer.from(sha256, 'base64').toString('hex') : null,
          },
        ]
      : []),
    ...(typeof thumbnail_key === 'string' ? [{ key: thumbnail_key, size: null, sha256: null }] : []),
  ];
}
