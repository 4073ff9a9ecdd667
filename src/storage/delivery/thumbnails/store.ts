import { sql, type UpdateObject } from 'kysely';
import { type Clock, SECOND } from '../../../kernel/clock.ts';
import type { Database, Reader, Tables } from '../../../kernel/database/database.ts';
import { isUnlockedOf } from '../../../kernel/database/unlocked.ts';
import { createLeases } from '../../../kernel/leases.ts';

const RETRY_MS = 5 * SECOND;
const POSTPONE_MS = 60 * SECOND;
/** One attempt and a retry. An attempt that killed its process counts as well. */
export const TRIES = 2;
// A literal, since SQLite uses a partial index only where the query text implies its condition.
const PENDING = sql.lit('pending' as const);

/** A file whose thumbnail this process alone renders, until its lease ends: no rendering takes as long as a lease. */
export interface ClaimedPicture {
  fileId: string;
  blobKey: string;
  sizeBytes: number;
  /** Number of attempts, this one included. */
  tries: number;
  leaseUntil: number;
}

/** The queue of thumbnails to render, kept in the rows of their files. */
export interface ThumbnailStore {
  /** Leases a file that is due; null = there is none. */
  claim(): Promise<ClaimedPicture | null>;
  /**
   * Records the blob of a thumbnail. Returns false, and does not use it, when the file has other bytes by now or
   * the lease is lost.
   */
  made(picture: ClaimedPicture, thumbnailKey: string): Promise<boolean>;
  /** Records a failed attempt. The last one is final. */
  failed(picture: ClaimedPicture): Promise<void>;
  /** Schedules another attempt and does not count this one: the cause was not the picture. */
  postpone(picture: ClaimedPicture): Promise<void>;
  /** Ends the leases of the previous run on SQLite, where no other process can hold one. */
  takeOver(): Promise<void>;
}

export function createThumbnailStore({
  database,
  clock,
}: {
  database: Database;
  clock: Clock;
}): ThumbnailStore {
  const leases = createLeases({ table: 'files', until: 'thumbnail_lease_until' }, { database, clock });
  const after = (ms: number) => sql<number>`${database.now} + ${sql.lit(ms)}`;

  return {
    async claim() {
      // Usually there is none: a read is cheaper than a transaction.
      if (!(await due(database.read).executeTakeFirst())) return null;
      const row = await database.transaction((trx) =>
        trx
          .updateTable('files')
          .set((set) => ({
            thumbnail_attempts: set('thumbnail_attempts', '+', 1),
            thumbnail_lease_until: leases.end(),
          }))
          .where(isUnlockedOf(database, due(trx)))
          .returning(['id', 'blob_key', 'size_bytes', 'thumbnail_attempts', 'thumbnail_lease_until'])
          .executeTakeFirst(),
      );
      if (!row) return null;
      return {
        fileId: row.id,
        blobKey: row.blob_key,
        sizeBytes: row.size_bytes,
        tries: row.thumbnail_attempts,
        leaseUntil: row.thumbnail_lease_until ?? 0,
      };
    },

    made: (picture, thumbnailKey) =>
      finish(picture, { thumbnail_state: 'made', thumbnail_key: thumbnailKey, thumbnail_lease_until: null }),

    async failed(picture) {
      await finish(
        picture,
        picture.tries < TRIES
          ? { thumbnail_lease_until: after(RETRY_MS) }
          : { thumbnail_state: 'failed', thumbnail_lease_until: null },
      );
    },

    async postpone(picture) {
      await finish(picture, {
        thumbnail_lease_until: after(POSTPONE_MS),
        thumbnail_attempts: picture.tries - 1,
      });
    },

    async takeOver() {
      if (database.kind !== 'sqlite') return;
      await database.transaction((trx) =>
        trx
          .updateTable('files')
          .set({ thumbnail_lease_until: null })
          .where('thumbnail_state', '=', PENDING)
          .execute(),
      );
    },
  };

  function due(reader: Reader) {
    return reader
      .selectFrom('files')
      .select('id')
      .where('thumbnail_state', '=', PENDING)
      .where('deleted_at', 'is', null)
      .where(leases.isFree())
      .limit(1);
  }

  async function finish(
    { fileId, blobKey, leaseUntil }: ClaimedPicture,
    values: Pick<
      UpdateObject<Tables, 'files'>,
      'thumbnail_state' | 'thumbnail_key' | 'thumbnail_attempts' | 'thumbnail_lease_until'
    >,
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
