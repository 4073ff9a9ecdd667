import type { Database } from '../kernel/database/database.ts';
import type { Metrics } from '../kernel/metrics.ts';
import type { Blobs } from './blobs/port.ts';
import type { BlobReader } from './blobs/small.ts';
import { countPending } from './delivery/renditions/claims.ts';

/** Returns the number of links, and the sums of their downloads and of the files that visitors sent. */
export async function countLinks({ read }: Database) {
  const row = await read
    .selectFrom('links')
    .select((of) => [
      of.fn.countAll<number>().as('count'),
      of.fn.sum<number | string | null>('download_count').as('downloads'),
      of.fn.sum<number | string | null>('upload_count').as('uploads'),
    ])
    .executeTakeFirstOrThrow();
  return {
    count: Number(row.count),
    downloads: Number(row.downloads ?? 0),
    uploads: Number(row.uploads ?? 0),
  };
}

/** Adds gauges of the bytes in all workspaces, of the space that is left for them, and of links. */
export function addStorageMetrics(
  metrics: Metrics,
  database: Database,
  blobs: Pick<Blobs, 'freeBytes'>,
): void {
  const sumOf = async (column: 'used_bytes' | 'trash_bytes') => {
    const { sum } = await database.read
      .selectFrom('workspaces')
      .select((of) => of.fn.sum<number | string | null>(column).as('sum'))
      .executeTakeFirstOrThrow();
    return Number(sum ?? 0);
  };
  metrics.gauge(
    'posthouse_storage_used_bytes',
    'Bytes of all files, as quotas count them',
    [],
    async (gauge) => gauge.set(await sumOf('used_bytes')),
  );
  metrics.gauge(
    'posthouse_storage_trash_bytes',
    'Bytes of deleted files that can be restored',
    [],
    async (gauge) => gauge.set(await sumOf('trash_bytes')),
  );
  let counting: ReturnType<typeof countLinks> | undefined;
  // A scrape collects all gauges at once.
  const links = () => {
    counting ??= countLinks(database).finally(() => {
      counting = undefined;
    });
    return counting;
  };
  metrics.gauge('posthouse_storage_links', 'Links to folders and to chosen files', [], async (gauge) =>
    gauge.set((await links()).count),
  );
  metrics.gauge(
    'posthouse_storage_link_downloads',
    'Visitors that have downloaded through a link that exists',
    [],
    async (gauge) => gauge.set((await links()).downloads),
  );
  metrics.gauge(
    'posthouse_storage_link_uploads',
    'Files that visitors have sent through a link that exists',
    [],
    async (gauge) => gauge.set((await links()).uploads),
  );
  metrics.gauge(
    'posthouse_storage_pictures_pending',
    'Pictures whose thumbnail or preview is to be rendered',
    [],
    async (gauge) => gauge.set(await countPending(database)),
  );
  const help = 'Bytes that the blob store has left; +Inf when unknown';
  metrics.gauge('posthouse_storage_free_bytes', help, [], (gauge) => gauge.set(blobs.freeBytes()));
}

/** Counts the bytes of files that were received and sent. */
export interface Traffic {
  uploaded(bytes: number): void;
  /** Counts what is read through the returned reader. */
  countReads<Reader extends Pick<BlobReader, 'read'>>(blobs: Reader): Reader;
  /** Counts the redirects to blobs. */
  countLinks(blobs: BlobReader): BlobReader;
}

export function createTraffic(metrics: Metrics): Traffic {
  const up = metrics.counter('posthouse_storage_uploaded_bytes_total', 'Bytes of files received');
  const down = metrics.counter(
    'posthouse_storage_downloaded_bytes_total',
    'Bytes of files and thumbnails in responses; an interrupted one counts whole',
  );
  const redirects = metrics.counter('posthouse_storage_redirects_total', 'Downloads redirected to S3');
  return {
    uploaded: (bytes) => up.inc(bytes),
    countLinks({ link, ...blobs }) {
      if (!link) return blobs;
      const counted: typeof link = (...words) => {
        redirects.inc();
        return link(...words);
      };
      return { ...blobs, link: counted };
    },
    countReads: (blobs) => ({
      ...blobs,
      read(key, size, range) {
        down.inc(range ? range.end - range.start : size);
        return blobs.read(key, size, range);
      },
    }),
  };
}
