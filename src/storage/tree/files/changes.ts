import { sql } from 'kysely';
import type { Transaction } from '../../../kernel/database/database.ts';
import { newToken } from '../../../kernel/ids.ts';
import { notFound } from '../../../kernel/problem.ts';
import { fromRow, type StoredFile } from './file.ts';

/** The settings of a file that a member changes; undefined = unchanged. */
export interface FileChange {
  /** Id of the member. */
  by: string | null;
  visibility?: number;
  /** Argon2id; null removes the password. */
  passwordHash?: string | null;
  /** `new` creates one, null removes it. */
  accessKey?: 'new' | null;
  expiresAt?: number | null;
  maxDownloads?: number | null;
  sharedBy?: string | null;
  newTokens?: boolean;
}

/** A change whose access key is created and sealed. */
type SealedChange = Omit<FileChange, 'accessKey'> & { accessKey?: string | null };

/** @param now ms since the epoch */
export async function changeFile(
  trx: Transaction,
  file: StoredFile,
  change: SealedChange,
  now: number,
): Promise<StoredFile> {
  const row = await trx
    .updateTable('files')
    .set({
      modified_by: change.by,
      visibility: change.visibility,
      password_hash: change.passwordHash,
      access_key: change.accessKey,
      expires_at: change.expiresAt,
      max_downloads: change.maxDownloads,
      shared_by: change.sharedBy,
      // A new limit does not count earlier downloads.
      ...(typeof change.maxDownloads === 'number' && file.maxDownloads === null ? { download_count: 0 } : {}),
      ...(change.newTokens ? { direct_token: newToken(), ui_token: newToken() } : {}),
      // Never set back: a replacement in the same second may have set it ahead, and different bytes need a different
      // Last-Modified.
      date_modified: sql<number>`case when date_modified > ${now} then date_modified else ${now} end`,
    })
    .where('id', '=', file.id)
    .where('deleted_at', 'is', null)
    .returningAll()
    .executeTakeFirstOrThrow(notFound);
  return fromRow(row);
}
