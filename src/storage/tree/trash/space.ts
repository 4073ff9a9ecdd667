import { DAY } from '../../../kernel/clock.ts';
import type { Database, Reader, Transaction } from '../../../kernel/database/database.ts';
import { readNow } from '../../../kernel/database/now.ts';
import { newId } from '../../../kernel/ids.ts';
import { type DiscardedBlob, scheduleDeletion } from '../discarded.ts';
import type { StoredFile } from '../files/file.ts';
import { addVersion, dropOldest, moveVersions } from '../files/version-rows.ts';
import { addBytes } from '../sums.ts';
import { entriesOf, entryTimes } from './entries.ts';

/**
 * Limits the space of deleted files and of versions to one more quota: the oldest are erased first, versions before
 * deleted files. The transaction that exceeds the quota marks the erased files: files that were deleted up to
 * `trash_since` no longer exist for any caller. Their rows and bytes are deleted within seconds
 * (`upkeep/collector.ts`), in batches; of very many files, it also erases all but the first batch. Every function
 * requires the lock of the workspace.
 */
export interface TrashSpace {
  /** Returns the earliest time of deletion of entries that can be restored, ms since the epoch. */
  keptSince(reader: Reader, workspaceId: string): Promise<number>;
  /** Returns the time of a deletion that happens now: after everything that is erased. */
  deletionTime(trx: Transaction, workspaceId: string): Promise<number>;
  /**
   * Returns the time of deletion for an entry that no person deleted. It has one day left, and is erased
   * before entries deleted since.
   */
  leftoverTime(trx: Transaction, workspaceId: string): Promise<number>;
  /**
   * Counts `bytes` of files that were deleted at `deletedAt` as trash instead of as used, and erases the oldest trash
   * above the quota.
   */
  keep(trx: Transaction, workspaceId: string, bytes: number, deletedAt: number): Promise<void>;
  /** No longer counts `bytes` of restored files as trash. */
  takeBack(trx: Transaction, workspaceId: string, bytes: number): Promise<void>;
  /** Erases the entries that were deleted up to `until`, ms since the epoch. */
  erase(trx: Transaction, workspaceId: string, until: number): Promise<void>;
  /** Counts `bytes` of trash as erased; the collector deletes their rows. */
  countErased(trx: Transaction, workspaceId: string, bytes: number): Promise<void>;
  /** Keeps the bytes of a file as a version, before they are replaced. */
  keepVersion(trx: Transaction, file: StoredFile, replacement: Replacement): Promise<void>;
  /** Moves the versions of files that are moved to another workspace, with both workspaces locked. */
  moveVersions(trx: Transaction, fileIds: readonly string[], targetId: string): Promise<void>;
  /** Erases a batch of the oldest versions and entries above the quota; reports whether more must be erased. */
  trim(trx: Transaction, workspaceId: string): Promise<boolean>;
  /** Notes that the transaction discards blobs. */
  expectErasure(): void;
  /** Schedules the deletion of blobs that this transaction has removed from their rows. */
  discard(trx: Transaction, workspaceId: string, blobs: readonly DiscardedBlob[]): Promise<void>;
}

interface Replacement {
  /** Id of the member. */
  by: string | null;
  /** Ms since the epoch. */
  now: number;
}

interface TrashSpaceDeps {
  database: Database;
  /** Default quota of a workspace. */
  workspaceBytes: number;
  trashDays: number;
  /** 0 = no versions are kept. */
  versionDays: number;
  /** Called in each transaction that erases files or discards blobs, before its commit. */
  erasing?(): void;
}

export function createTrashSpace({
  database,
  workspaceBytes,
  trashDays,
  versionDays,
  erasing = () => {},
}: TrashSpaceDeps): TrashSpace {
  async function trim(trx: Transaction, workspaceId: string): Promise<boolean> {
    const sums = await sumsOf(trx, workspaceId);
    const excess = sums ? sums.trash_bytes + sums.version_bytes - (sums.max_bytes ?? workspaceBytes) : 0;
    if (excess <= 0) return false;
    erasing();
    const versions = await dropOldest(trx, database, workspaceId, excess);
    const isPartial = versions.isPartial || (await eraseOldest(trx, workspaceId, excess - versions.freed));
    if (isPartial)
      await trx.updateTable('workspaces').set({ is_erasing: 1 }).where('id', '=', workspaceId).execute();
    return isPartial;
  }

  return {
    async keptSince(reader, workspaceId) {
      const now = await readNow(database, reader);
      return Math.max((await erasedUntil(reader, workspaceId)) + 1, now - trashDays * DAY);
    },
    async deletionTime(trx, workspaceId) {
      return Math.max(await readNow(database, trx), (await erasedUntil(trx, workspaceId)) + 1);
    },
    async leftoverTime(trx, workspaceId) {
      const dayLeft = (await readNow(database, trx)) - (trashDays - 1) * DAY;
      return Math.max(dayLeft, (await erasedUntil(trx, workspaceId)) + 1);
    },
    async keep(trx, workspaceId, bytes, deletedAt) {
      const row = await trx
        .updateTable('workspaces')
        .set((set) => ({
          used_bytes: set('used_bytes', '-', bytes),
          trash_bytes: set('trash_bytes', '+', bytes),
        }))
        .where('id', '=', workspaceId)
        .returning('trash_since')
        .executeTakeFirstOrThrow();
      if (deletedAt <= row.trash_since) {
        // Its entry was erased while its files were being moved.
        erasing();
        return await countErased(trx, workspaceId, bytes);
      }
      await trim(trx, workspaceId);
    },
    takeBack: (trx, workspaceId, bytes) => addBytes(trx, workspaceId, { trash_bytes: -bytes }),
    async erase(trx, workspaceId, until) {
      erasing();
      await erase(trx, workspaceId, until);
    },
    async countErased(trx, workspaceId, bytes) {
      erasing();
      await countErased(trx, workspaceId, bytes);
    },
    async keepVersion(trx, file, replacement) {
      const { workspaceId } = file;
      erasing();
      if (versionDays === 0)
        return await discard(trx, database, workspaceId, [{ key: file.blobKey, bytes: file.sizeBytes }]);
      await addVersion(trx, database, versionOf(file, replacement));
      await trim(trx, workspaceId);
    },
    async moveVersions(trx, fileIds, targetId) {
      if (await moveVersions(trx, fileIds, targetId)) await trim(trx, targetId);
    },
    trim,
    expectErasure: erasing,
    async discard(trx, workspaceId, blobs) {
      erasing();
      await discard(trx, database, workspaceId, blobs);
    },
  };
}

function versionOf(file: StoredFile, { by, now }: Replacement) {
  return {
    id: newId(),
    file_id: file.id,
    workspace_id: file.workspaceId,
    blob_key: file.blobKey,
    size_bytes: file.sizeBytes,
    mime_type: file.mimeType,
    sha256: file.sha256,
    crc32: file.crc32,
    date_created: file.contentDate,
    date_replaced: now,
    replaced_by: by,
  };
}

/** Returns undefined when the workspace is erased. */
async function sumsOf(trx: Transaction, workspaceId: string) {
  return await trx
    .selectFrom('workspaces')
    .select(['trash_bytes', 'version_bytes', 'max_bytes'])
    .where('id', '=', workspaceId)
    .executeTakeFirst();
}

async function erasedUntil(reader: Reader, workspaceId: string): Promise<number> {
  const { trash_since } = await reader
    .selectFrom('workspaces')
    .select('trash_since')
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  return trash_since;
}

/** Maximum number of entries that one transaction reads, so that it does not delay others. */
const ENTRIES_AT_ONCE = 1000;

/**
 * Erases the oldest entries that have `excess` bytes together, of at most `ENTRIES_AT_ONCE`; reports whether more must
 * be erased. The newest entry is never erased.
 */
async function eraseOldest(trx: Transaction, workspaceId: string, excess: number): Promise<boolean> {
  if (excess <= 0) return false;
  const since = await erasedUntil(trx, workspaceId);
  const newest = await newestEntry(trx, workspaceId);
  const last = await nextEntries(trx, workspaceId, { after: since, before: newest });
  const entries = await entriesOf(trx, workspaceId)
    .selectFrom('entries')
    .select((of) => ['deleted_at', of.fn.sum<number>('size_bytes').as('bytes')])
    .where('deleted_at', '>', since)
    .where('deleted_at', '<=', last)
    .groupBy('deleted_at')
    .orderBy('deleted_at')
    .execute();
  let left = excess;
  let until = since;
  for (const { deleted_at, bytes } of entries) {
    if (left <= 0) break;
    left -= bytes;
    until = deleted_at;
  }
  await erase(trx, workspaceId, until);
  return left > 0 && last < newest - 1;
}

/** Returns the time of deletion of the last of the next entries; `before - 1` when there are few. */
async function nextEntries(
  trx: Transaction,
  workspaceId: string,
  { after, before }: { after: number; before: number },
): Promise<number> {
  const range = { order: 'asc', limit: ENTRIES_AT_ONCE, after, before } as const;
  const times = await entryTimes(trx, workspaceId, range);
  return times[ENTRIES_AT_ONCE - 1] ?? before - 1;
}

async function newestEntry(trx: Transaction, workspaceId: string): Promise<number> {
  const [newest] = await entryTimes(trx, workspaceId, { order: 'desc', limit: 1 });
  return newest ?? 0;
}

async function erase(trx: Transaction, workspaceId: string, until: number): Promise<void> {
  // As a value: SQLite would read all entries for a condition that refers to the row of the workspace.
  const since = await erasedUntil(trx, workspaceId);
  const { bytes } = await entriesOf(trx, workspaceId)
    .selectFrom('entries')
    .select((of) => of.fn.sum<number | null>('size_bytes').as('bytes'))
    .where('deleted_at', '>', since)
    .where('deleted_at', '<=', until)
    .executeTakeFirstOrThrow();
  const row = await trx
    .updateTable('workspaces')
    .set({ trash_since: until })
    .where('id', '=', workspaceId)
    .where('trash_since', '<', until)
    .returning('id')
    .executeTakeFirst();
  if (row) await countErased(trx, workspaceId, bytes ?? 0);
}

async function countErased(trx: Transaction, workspaceId: string, bytes: number): Promise<void> {
  await trx
    .updateTable('workspaces')
    .set((set) => ({
      trash_bytes: set('trash_bytes', '-', bytes),
      erased_bytes: set('erased_bytes', '+', bytes),
      is_erasing: 1,
    }))
    .where('id', '=', workspaceId)
    .execute();
}

async function discard(
  trx: Transaction,
  database: Database,
  workspaceId: string,
  blobs: readonly DiscardedBlob[],
): Promise<void> {
  if (blobs.length === 0) return;
  const known = await scheduleDeletion(trx, database, workspaceId, blobs);
  const bytes = blobs.reduce((sum, blob) => sum + blob.bytes, 0) - known;
  await addBytes(trx, workspaceId, { erased_bytes: bytes });
}
