import type { Reader, Transaction } from '../../../kernel/database/database.ts';
import { numberedFileName } from '../numbered-names.ts';
import { fileNamed, nameTaken } from '../siblings.ts';

/**
 * The ways to resolve a conflict when a file gets the name of another in its folder: both keep the name, the file gets
 * a number, its bytes replace those of the newest file with the name, or the request fails.
 */
export const ON_CONFLICT = ['keep', 'rename', 'replace', 'fail'] as const;
export type OnConflict = (typeof ON_CONFLICT)[number];

interface Naming {
  folderId: string;
  name: string;
  /** Id of the file itself; null = a new one. */
  fileId: string | null;
  onConflict: OnConflict;
}

/**
 * Returns the name that a file gets, and the id of the file that it replaces instead; null = none. Requires the lock
 * of the workspace, so that one of two racing requests finds the file of the other.
 * @throws Problem 409 `name_taken`
 */
export async function resolveConflict(
  trx: Transaction,
  { folderId, name, fileId, onConflict }: Naming,
): Promise<{ name: string; replacesId: string | null }> {
  const other = onConflict === 'keep' ? null : await fileNamed(trx, folderId, name, fileId);
  if (!other) return { name, replacesId: null };
  if (onConflict === 'fail') throw nameTaken('file');
  if (onConflict === 'replace') return { name, replacesId: other.id };
  return { name: await numberedFileName(trx, folderId, name), replacesId: null };
}

/** Returns the size of the file that a new one with its name would replace; 0 = none. */
export async function replacedBytes(reader: Reader, folderId: string, name: string): Promise<number> {
  return (await fileNamed(reader, folderId, name, null))?.size_bytes ?? 0;
}
