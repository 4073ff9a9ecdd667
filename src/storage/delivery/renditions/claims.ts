import { type Selectable, sql } from 'kysely';
import type { Database, Reader } from '../../../kernel/database/database.ts';
import { isUnlockedOf } from '../../../kernel/database/unlocked.ts';
import type { Leases } from '../../../kernel/leases/leases.ts';
import type { FilesTable, RenditionState } from '../../tables.ts';
import type { RenditionKind } from '../../tree/files/file.ts';

/**
 * Maximum number of attempts: an attempt and a retry for each of thumbnail, preview and facts. The thumbnail
 * and the preview share one count. An attempt that killed its process counts as well.
 */
export const TRIES: Record<Missing, number> = { thumbnail: 2, preview: 4, facts: 2 };
// A literal, since SQLite uses a partial index only where the query text implies its condition.
const PENDING = sql.lit('pending' as const);
const MADE = sql.lit('made' as const);
const NONE = sql.lit('none' as const);

/** A rendition to render, or the facts to read. */
export type Missing = RenditionKind | 'facts';

/**
 * A picture, or an audio or video file, that only this process renders or reads until its lease ends: no rendering
 * takes as long as a lease.
 */
export interface ClaimedPicture {
  fileId: string;
  /**
   * The first rendition that is missing, or the facts. A picture without a thumbnail has no preview; audio and video
   * have only facts.
   */
  missing: Missing;
  workspaceId: string;
  blobKey: string;
  sizeBytes: number;
  crc32: number;
  mimeType: string;
  /** The member and workspace of an upload; the file itself for other bytes, which are rendered separately. */
  owner: string;
  /** Number of attempts, this one included. */
  tries: number;
  /** All its attempts have failed, or ended with their process. */
  isGivenUp: boolean;
  leaseUntil: number;
}

const PICTURE_COLUMNS = [
  'id',
  'workspace_id',
  'blob_key',
  'size_bytes',
  'crc32',
  'mime_type',
  'created_by',
  'content_date',
  'thumbnail_state',
  'thumbnail_attempts',
  'thumbnail_lease_until',
] as const;
type PictureRow = Pick<Selectable<FilesTable>, (typeof PICTURE_COLUMNS)[number]>;

/** What is missing, by the state of the thumbnail. */
const MISSING: Record<RenditionState, Missing> = {
  none: 'facts',
  pending: 'thumbnail',
  made: 'preview',
  failed: 'thumbnail',
};

interface ClaimOptions {
  /** False = only thumbnails are to be rendered. */
  withPreviews: boolean;
  /** Id of a file to claim before others, if it is due. */
  first?: string;
}

/**
 * Leases the next file that is due; null = there is none. Workspaces take turns, so that a thousand pictures of one do
 * not delay the files of another. Of a workspace, files without a thumbnail come before those without facts; files
 * without a preview are last, after those of all workspaces.
 */
export type ClaimPicture = (options: ClaimOptions) => Promise<ClaimedPicture | null>;

export const withoutThumbnail = (reader: Reader) =>
  reader.selectFrom('files').where('deleted_at', 'is', null).where('thumbnail_state', '=', PENDING);

/**
 * Pictures with a thumbnail but without a preview of their present bytes, or with a preview older than placeholders.
 */
export const withoutPreview = (reader: Reader) =>
  reader
    .selectFrom('files')
    .where('deleted_at', 'is', null)
    .where('thumbnail_state', '=', MADE)
    .where((where) =>
      where.or([
        where('preview_of', 'is', null),
        where('preview_of', '<>', where.ref('blob_key')),
        where.and([where('preview_key', 'is not', null), where('placeholder', 'is', null)]),
      ]),
    );

/** Audio and video whose present bytes have not been read. */
export const withoutFacts = (reader: Reader) =>
  reader
    .selectFrom('files')
    .where('deleted_at', 'is', null)
    .where('thumbnail_state', '=', NONE)
    .where(sql<boolean>`substr(mime_type, 1, 6) in ('audio/', 'video/')`)
    .where((where) =>
      where.or([where('facts_of', 'is', null), where('facts_of', '<>', where.ref('blob_key'))]),
    );

/** Counts the files that lack something; after an update of the program, that may be all. */
export async function countPending(database: Database): Promise<number> {
  const reader = database.slow('pictures');
  const counts = [withoutThumbnail, withoutPreview, withoutFacts].map(async (pending) => {
    const { count } = await pending(reader)
      .select((of) => of.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return count;
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

/** Reports whether a picture without a thumbnail, or a file without facts, is due in a workspace other than these. */
export type IsOtherDue = (workspaceIds: ReadonlySet<string>) => Promise<boolean>;

const FIRST_TIER = [withoutThumbnail, withoutFacts];

export function createClaim(
  database: Database,
  leases: Leases,
): { claim: ClaimPicture; isOtherDue: IsOtherDue } {
  /** The workspace of the last claim of this process. */
  let served = '';

  // Usually no file is due: each transaction follows a read, which is cheaper.
  const claim: ClaimPicture = async ({ withPreviews, first }) => {
    const tiers = [FIRST_TIER, withPreviews ? [withoutPreview] : []];
    for (const kind of first === undefined ? [] : tiers.flat()) {
      const due = (reader: Reader) => dueOf(reader, kind).where('id', '=', first ?? '');
      const claimed = (await due(database.read).executeTakeFirst()) && (await claimOf(due));
      if (claimed) return claimed;
    }
    for (const kinds of tiers)
      for (const after of new Set([served, ''])) {
        const nearest = await nearestOf(kinds, after);
        const claimed = nearest && (await claimOf((reader) => dueAfter(reader, nearest.kind, after)));
        if (claimed) return claimed;
      }
    return null;
  };

  const isOtherDue: IsOtherDue = async (workspaceIds) => {
    for (let after = ''; ; ) {
      const nearest = await nearestOf(FIRST_TIER, after);
      if (!nearest) return false;
      if (!workspaceIds.has(nearest.workspaceId)) return true;
      after = nearest.workspaceId;
    }
  };

  return { claim, isOtherDue };

  function dueOf(reader: Reader, kind: typeof withoutThumbnail) {
    return kind(reader).select('id').where(leases.isFree()).limit(1);
  }

  /** Starts a query for a due file of the next workspace that has one. */
  function dueAfter(reader: Reader, kind: typeof withoutThumbnail, after: string) {
    return dueOf(reader, kind).where('workspace_id', '>', after).orderBy('workspace_id');
  }

  /** Returns the next workspace with a due file, and the first kind with one; undefined = there is none. */
  async function nearestOf(kinds: readonly (typeof withoutThumbnail)[], after: string) {
    let nearest: { kind: typeof withoutThumbnail; workspaceId: string } | undefined;
    for (const kind of kinds) {
      const row = await dueAfter(database.read, kind, after).select('workspace_id').executeTakeFirst();
      if (row && !(nearest && nearest.workspaceId <= row.workspace_id))
        nearest = { kind, workspaceId: row.workspace_id };
    }
    return nearest;
  }

  async function claimOf(
    query: (reader: Reader) => ReturnType<typeof dueOf>,
  ): Promise<ClaimedPicture | null> {
    const row = await database.transaction((trx) =>
      trx
        .updateTable('files')
        .set((set) => ({
          thumbnail_attempts: set('thumbnail_attempts', '+', 1),
          thumbnail_lease_until: leases.end(),
        }))
        .where(isUnlockedOf(database, query(trx)))
        .returning(PICTURE_COLUMNS)
        .executeTakeFirst(),
    );
    if (!row) return null;
    served = row.workspace_id;
    return pictureFromRow(row);
  }
}

function pictureFromRow(row: PictureRow): ClaimedPicture {
  const missing = MISSING[row.thumbnail_state];
  return {
    fileId: row.id,
    missing,
    workspaceId: row.workspace_id,
    blobKey: row.blob_key,
    sizeBytes: row.size_bytes,
    crc32: row.crc32,
    mimeType: row.mime_type,
    owner: ownerOf(row),
    tries: row.thumbnail_attempts,
    isGivenUp: row.thumbnail_attempts > TRIES[missing],
    leaseUntil: row.thumbnail_lease_until ?? 0,
  };
}

/**
 * The creator of a file is not always the source of its bytes: visitors, replacements, restored versions and copies.
 */
function ownerOf(row: PictureRow): string {
  const isUpload = row.created_by !== null && row.content_date === null;
  return isUpload ? `${row.workspace_id} ${row.created_by}` : row.id;
}
