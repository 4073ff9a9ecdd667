import { sql, type UpdateObject } from 'kysely';
import { type Clock, SECOND } from '../../../kernel/clock.ts';
import type { Database, Reader, Tables } from '../../../kernel/database/database.ts';
import { isUnlockedOf } from '../../../kernel/database/unlocked.ts';
import { createLeases } from '../../../kernel/leases.ts';
import { type PictureFacts, pictureColumns } from '../../tree/file.ts';

const RETRY_MS = 5 * SECOND;
const POSTPONE_MS = 60 * SECOND;
/**
 * One attempt and a retry, for the thumbnail and then for the facts of older ones. An attempt that killed its process
 * counts as well.
 */
const TRIES = { pending: 2, made: 4 };
// A literal, since SQLite uses a partial index only where the query text implies its condition.
const PENDING = sql.lit('pending' as const);
const MADE = sql.lit('made' as const);
const UNREADABLE = { width: 0, height: 0 };

/** A file whose thumbnail this process alone renders, until its lease ends: no rendering takes as long as a lease. */
export interface ClaimedPicture {
  fileId: string;
  /** `made` when only its facts are missing. */
  state: 'pending' | 'made';
  blobKey: string;
  sizeBytes: number;
  /** Number of attempts, this one included. */
  tries: number;
  /** It has failed often enough, maybe with its process. */
  isGivenUp: boolean;
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
  made(picture: ClaimedPicture, thumbnailKey: string, facts: PictureFacts): Promise<boolean>;
  /** Records the facts of a picture that has a thumbnail already. */
  read(picture: ClaimedPicture, facts: PictureFacts): Promise<void>;
  /** Records a failed attempt. The last one is final. */
  failed(picture: ClaimedPicture): Promise<void>;
  /** Schedules another attempt and does not count this one: the cause was not the picture. */
  postpone(picture: ClaimedPicture): Promise<void>;
  /** Ends all leases: those of earlier runs, where no other process can hold one. */
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
      return (await claimOf(due)) ?? (await claimOf(unread));
    },

    made: (picture, thumbnailKey, facts) =>
      finish(picture, {
        thumbnail_state: 'made',
        thumbnail_key: thumbnailKey,
        thumbnail_lease_until: null,
        ...pictureColumns(facts),
      }),

    async read(picture, facts) {
      await finish(picture, { thumbnail_lease_until: null, ...pictureColumns(facts) });
    },

    async failed(picture) {
      const end = picture.state === 'pending' ? { thumbnail_state: 'failed' as const } : UNREADABLE;
      await finish(
        picture,
        picture.tries < TRIES[picture.state]
          ? { thumbnail_lease_until: after(RETRY_MS) }
          : { ...end, thumbnail_lease_until: null },
      );
    },

    async postpone(picture) {
      await finish(picture, {
        thumbnail_lease_until: after(POSTPONE_MS),
        thumbnail_attempts: picture.tries - 1,
      });
    },

    async takeOver() {
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
    return free(reader).where('thumbnail_state', '=', PENDING);
  }

  /** Pictures whose thumbnail was rendered by a program that did not read their facts. */
  function unread(reader: Reader) {
    return free(reader).where('thumbnail_state', '=', MADE).where('width', 'is', null);
  }

  function free(reader: Reader) {
    return reader
      .selectFrom('files')
      .select('id')
      .where('deleted_at', 'is', null)
      .where(leases.isFree())
      .limit(1);
  }

  async function claimOf(query: typeof due): Promise<ClaimedPicture | null> {
    // Usually there is none: a read is cheaper than a transaction.
    if (!(await query(database.read).executeTakeFirst())) return null;
    const row = await database.transaction((trx) =>
      trx
        .updateTable('files')
        .set((set) => ({
          thumbnail_attempts: set('thumbnail_attempts', '+', 1),
          thumbnail_lease_until: leases.end(),
        }))
        .where(isUnlockedOf(database, query(trx)))
        .returning([
          'id',
          'blob_key',
          'size_bytes',
          'thumbnail_state',
          'thumbnail_attempts',
          'thumbnail_lease_until',
        ])
        .executeTakeFirst(),
    );
    if (!row) return null;
    const state = row.thumbnail_state === 'made' ? 'made' : 'pending';
    return {
      fileId: row.id,
      state,
      blobKey: row.blob_key,
      sizeBytes: row.size_bytes,
      tries: row.thumbnail_attempts,
      isGivenUp: row.thumbnail_attempts > TRIES[state],
      leaseUntil: row.thumbnail_lease_until ?? 0,
    };
  }

  async function finish(
    { fileId, state, blobKey, leaseUntil }: ClaimedPicture,
    values: UpdateObject<Tables, 'files'>,
  ): Promise<boolean> {
    const { numUpdatedRows } = await database.transaction((trx) =>
      trx
        .updateTable('files')
        .set(values)
        .where('id', '=', fileId)
        .where('blob_key', '=', blobKey)
        .where('thumbnail_state', '=', state)
        .where('thumbnail_lease_until', '=', leaseUntil)
        .executeTakeFirst(),
    );
    return numUpdatedRows > 0n;
  }
}
