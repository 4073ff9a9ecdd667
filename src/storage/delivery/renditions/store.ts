import type { UpdateObject } from 'kysely';
import { createCache } from '../../../kernel/cache.ts';
import { type Clock, MINUTE, SECOND } from '../../../kernel/clock.ts';
import type { Database, Tables } from '../../../kernel/database/database.ts';
import { after } from '../../../kernel/database/now.ts';
import { createLeases } from '../../../kernel/leases/leases.ts';
import { factColumns, type MediaFacts, type RenditionKind } from '../../tree/files/file.ts';
import {
  type ClaimedPicture,
  type ClaimPicture,
  createClaim,
  type IsOtherDue,
  type Missing,
  TRIES,
  withoutFacts,
  withoutPreview,
  withoutThumbnail,
} from './claims.ts';

/** Time from a failed attempt to the next. */
export const RETRY_MS = 5 * SECOND;
/**
 * Pause before a postponed attempt is repeated, twice as long each time: on a busy machine, a file that takes
 * long is postponed repeatedly, and would occupy a worker each time.
 */
const POSTPONE_MS = { first: MINUTE, most: 10 * MINUTE };
/** Number of postponed files whose pauses are remembered. */
const POSTPONED = 10_000;

/** A rendition whose blob is stored. */
export interface StoredRendition {
  kind: RenditionKind;
  key: string;
  facts: MediaFacts;
}

/** The queue of pictures to render, kept in the rows of their files. */
export interface RenditionStore {
  claim: ClaimPicture;
  isOtherDue: IsOtherDue;
  /**
   * Records a rendition. Returns false, and does not reference its blob, when the bytes of the file have changed or the
   * lease is lost. The preview is the last one: it ends the lease.
   */
  made(picture: ClaimedPicture, rendition: StoredRendition): Promise<boolean>;
  /** Records the facts of an audio or video file, as `made` records those of a picture. */
  factsRead(file: ClaimedPicture, facts: MediaFacts): Promise<void>;
  /**
   * Records a failed attempt. Returns true when another one is due after `retryMs`.
   * @param facts in the header of a picture with damaged pixels
   */
  failed(picture: ClaimedPicture, facts: MediaFacts | null): Promise<boolean>;
  /** Ends the lease of a picture whose preview is rendered later. */
  release(picture: ClaimedPicture): Promise<void>;
  /** Schedules another attempt and does not count this one: the cause was not the picture. */
  postpone(picture: ClaimedPicture): Promise<void>;
  /** Ends all leases. Call it only where no other process can hold one, so that they are of earlier runs. */
  takeOver(): Promise<void>;
}

interface RenditionStoreDeps {
  database: Database;
  clock: Clock;
  retryMs?: number;
}

export function createRenditionStore({
  database,
  clock,
  retryMs = RETRY_MS,
}: RenditionStoreDeps): RenditionStore {
  const leases = createLeases({ table: 'files', until: 'thumbnail_lease_until' }, { database, clock });
  const RELEASED = { thumbnail_lease_until: null };
  /** The last pauses, by file. */
  const pauses = createCache<number>({ max: POSTPONED });

  async function record(
    { fileId, blobKey, leaseUntil }: ClaimedPicture,
    values: UpdateObject<Tables, 'files'>,
  ): Promise<boolean> {
    const { numUpdatedRows } = await database.transaction((trx) =>
      trx
        .updateTable('files')
        .set(values)
        .where('id', '=', fileId)
        .where('blob_key', '=', blobKey)
        .where('thumbnail_lease_until', '=', leaseUntil)
        .executeTakeFirst(),
    );
    return numUpdatedRows > 0n;
  }

  return {
    ...createClaim(database, leases),

    made(picture, { kind, key, facts }) {
      const columns =
        kind === 'thumbnail'
          ? { thumbnail_state: 'made' as const, thumbnail_key: key }
          : { preview_of: picture.blobKey, preview_key: key, ...RELEASED };
      return record(picture, { ...columns, ...factColumns(facts) });
    },

    async factsRead(file, facts) {
      await record(file, { facts_of: file.blobKey, ...RELEASED, ...factColumns(facts) });
    },

    async failed(picture, facts) {
      const ends: Record<Missing, UpdateObject<Tables, 'files'>> = {
        thumbnail: { thumbnail_state: 'failed' },
        preview: { preview_of: picture.blobKey, preview_key: null },
        facts: { facts_of: picture.blobKey },
      };
      const end = ends[picture.missing];
      const isLast = picture.tries >= TRIES[picture.missing];
      const columns = isLast ? { ...end, ...RELEASED } : { thumbnail_lease_until: after(database, retryMs) };
      const isRecorded = await record(picture, facts ? { ...columns, ...factColumns(facts) } : columns);
      return isRecorded && !isLast;
    },

    async release(picture) {
      await record(picture, RELEASED);
    },

    async postpone(picture) {
      const { first, most } = POSTPONE_MS;
      const pause = Math.min((pauses.get(picture.fileId) ?? first / 2) * 2, most);
      pauses.set(picture.fileId, pause);
      await record(picture, {
        thumbnail_lease_until: after(database, pause),
        thumbnail_attempts: picture.tries - 1,
      });
    },

    async takeOver() {
      for (const waiting of [withoutThumbnail, withoutFacts, withoutPreview])
        await database.transaction((trx) =>
          trx
            .updateTable('files')
            .set(RELEASED)
            .where('id', 'in', waiting(trx).select('id').where('thumbnail_lease_until', 'is not', null))
            .execute(),
        );
    },
  };
}
