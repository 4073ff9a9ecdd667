import type { Row } from '../kernel/database/snapshot.ts';
import { REFERENCES } from '../storage/references.ts';

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
  return REFERENCES.flatMap(([owner, column]) => {
    const key = row[column];
    return owner === table && typeof key === 'string' ? [{ key, ...factsOf(column, row) }] : [];
  });
}

/** A file's row knows size and checksum of its content, not of its thumbnail. */
function factsOf(column: string, { size_bytes, sha256 }: Row): Pick<Reference, 'size' | 'sha256'> {
  if (column !== 'blob_key' || typeof sha256 !== 'string') return { size: null, sha256: null };
  return { size: Number(size_bytes), sha256: Buffer.from(sha256, 'base64').toString('hex') };
}
