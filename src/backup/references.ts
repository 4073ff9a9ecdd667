import { hexOf } from '../kernel/bytes.ts';
import type { Row } from '../kernel/database/snapshot.ts';
import { REFERENCES } from '../storage/upkeep/references.ts';

/** A blob that a row needs. */
export interface Reference {
  key: string;
  /** Null = not in the row. */
  size: number | null;
  /** Hex; null = not in the row. */
  sha256: string | null;
}

/** Returns the blobs that a row of `table` needs. */
export function referencesOf(table: string, row: Row): Reference[] {
  return REFERENCES.flatMap(([owner, column]) => {
    const key = row[column];
    return owner === table && typeof key === 'string' ? [{ key, ...factsOf(column, row) }] : [];
  });
}

/** Returns size and checksum, which a file's row has for its content but not for its renditions. */
function factsOf(column: string, { size_bytes, sha256 }: Row): Pick<Reference, 'size' | 'sha256'> {
  if (column !== 'blob_key' || typeof sha256 !== 'string') return { size: null, sha256: null };
  return { size: Number(size_bytes), sha256: hexOf(sha256) };
}
