import { Problem } from '../problem.ts';
import { codeOf } from './code-of.ts';
import { throwUnlessUnavailable } from './unavailable.ts';

/**
 * Codes of a full disk or an exhausted disk quota: write(2), SQLite (https://www.sqlite.org/rescode.html; SHMSIZE =
 * no space for the index of the log), PostgreSQL (disk_full,
 * https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
const CODES: ReadonlySet<unknown> = new Set([
  'ENOSPC',
  'EDQUOT',
  'SQLITE_FULL',
  'SQLITE_IOERR_SHMSIZE',
  '53100',
]);

/** Reports whether `error`, or one of its causes, means that a disk is full. */
export function isStorageFull(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) if (CODES.has(codeOf(each))) return true;
  return false;
}

/** 507 `storage_full`. */
export function storageFull(cause?: unknown): Problem {
  return new Problem('storage_full', 'The server does not have enough free disk space.', { cause });
}

/** Ignores the error of an optional write when a disk is full or an engine cannot be used. @throws other errors */
export function throwUnlessUnwritable(error: unknown): void {
  if (!isStorageFull(error)) throwUnlessUnavailable(error);
}
