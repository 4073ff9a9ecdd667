import { sql, type Updateable } from 'kysely';
import { type Clock, SECOND } from '../../kernel/clock.ts';
import type { Database, Reader } from '../../kernel/database/database.ts';
import type { FilesTable } from '../tables.ts';

/** Longer than any rendering may take, so that a lease that ran out was a process that died. */
const LEASE_MS = 15 * SECOND;
const RETRY_MS = 5 * SECOND;
const POSTPONE_MS = 60 * SECOND;
/** One and a retry. Processes that died over it count as well. */
export const TRIES = 2;
// In the text of a query, not as a parameter: only so does SQLite see that the partial index serves it.
const PENDING = sql.lit('pending' as const);

/** A file whose thumbnail this process alone makes, until its lease ends. */
export interface ClaimedPicture {
  fileId: string;
  blobKey: string;
  sizeBytes: number;
  /** This try included. */
  tries: number;
  leaseUntil: number;
}

/** The waiting thumbnails, kept in the rows of their files, so that none is forgotten. */
export interface ThumbnailStore {
  /** One that is due; null = there is none. */
  claim(): Promise<ClaimedPicture | null>;
  /** Notes the blob of a thumbnail. False when the file has other bytes by now or the lease went to another: then it is not used. */
  made(picture: ClaimedPicture, thumbnailKey: string): Promise<boolean>;
  /** Notes that it could not be made: it is tried once more, and then no more. */
  failed(picture: ClaimedPicture): Promise<void>;
  /** Lets it wait a while without counting the try: what failed was not the picture. */
  postpone(picture: ClaimedPicture): Promise<void>;
  /** Ends the leases of the process that ran here before, where there can be no other that holds any. */
  takeOver(): Promise<void>;
}

export function createThumbnailStore({ database, clock }: { database: Database; clock: Clock }): ThumbnailStore {
  return {
    async claim() {
      const now = clock.now();
      // Mostly there is none, which a look tells without a transaction.
      if (!(await due(database.read, now).executeTakeFirst())) return null;
      const row = await database.transaction((trx) =>
        trx
          .updateTable('files')
          .set((set) => ({ thumbnail_attempts: set('thumbnail_attempts', '+', 1), thumbnail_lease_until: now + LEASE_MS }))
          .where('id', 'in', database.kind === 'postgres' ? due(trx, now).forUpdate().skipLocked() : due(trx, now))
          .returning(['id', 'blob_key', 'size_bytes', 'thumbnail_attempts'])
          .executeTakeFirst(),
      );
      if (!row) return null;
      return {
        fileId: row.id,
        blobKey: row.blob_key,
        sizeBytes: row.size_bytes,
        tries: row.thumbnail_attempts,
        leaseUntil: now + LEASE_MS,
      };
    },

    made: (picture, thumbnailKey) => settle(picture, { thumbnail_state: 'made', thumbnail_key: thumbnailKey, thumbnail_lease_until: null }),

    async failed(picture) {
      await settle(
        picture,
        picture.tries < TRIES
          ? { thumbnail_lease_until: clock.now() + RETRY_MS }
          : { thumbnail_state: 'failed', thumbnail_lease_until: null },
      );
    },

    async postpone(picture) {
      await settle(picture, { thumbnail_lease_until: clock.now() + POSTPONE_MS, thumbnail_attempts: picture.tries - 1 });
    },

    async takeOver() {
      if (database.kind !== 'sqlite') return;
      await database.transaction((trx) =>
        trx.updateTable('files').set({ thumbnail_lease_until: null }).where('thumbnail_state', '=', PENDING).execute(),
      );
    },
  };

  async function settle(
    { fileId, blobKey, leaseUntil }: ClaimedPicture,
    values: Updateable<Pick<FilesTable, 'thumbnail_state' | 'thumbnail_key' | 'thumbnail_attempts' | 'thumbnail_lease_until'>>,
  ): Promise<boolean> {
    const { numUpdatedRows } = await database.transaction((trx) =>
      trx
        .updateTable('files')
        .set(values)
        .where('id', '=', fileId)
        .where('blob_key', '=', blobKey)
        .where('thumbnail_state', '=', PENDING)
        .where('thumbnail_lease_until', '=', leaseUntil)
        .executeTakeFirst(),
    );
    return numUpdatedRows > 0n;
  }
}

function due(reader: Reader, now: number) {
  return reader
    .selectFrom('files')
    .select('id')
    .where('thumbnail_state', '=', PENDING)
    .where('deleted_at', 'is', null)
    .where((where) => where.or([where('thumbnail_lease_until', 'is', null), where('thumbnail_lease_until', '<=', now)]))
    .limit(1);
}
