import type { Database } from '../kernel/database/database.ts';
import type { Metrics } from '../kernel/metrics/metrics.ts';
import { shareRuns } from '../kernel/share-runs.ts';
import type { Blobs } from './blobs/port.ts';
import { countPending } from './delivery/renditions/claims.ts';

/** Returns the number of links, and the sums of their downloads and of the files that visitors sent. */
export async function countLinks({ read }: Database) {
  const { count, downloads, uploads } = await read
    .selectFrom('links')
    .select((of) => [
      of.fn.countAll<number>().as('count'),
      of.fn.sum<number | null>('download_count').as('downloads'),
      of.fn.sum<number | null>('upload_count').as('uploads'),
    ])
    .executeTakeFirstOrThrow();
  return { count, downloads: downloads ?? 0, uploads: uploads ?? 0 };
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
      .select((of) => of.fn.sum<number | null>(column).as('sum'))
      .executeTakeFirstOrThrow();
    return sum ?? 0;
  };
  // A scrape collects all gauges at once.
  const links = shareRuns(() => countLinks(database));
  const add = (name: string, help: string, value: () => number | Promise<number>) =>
    metrics.gauge(`posthouse_storage_${name}`, help, [], async (gauge) => gauge.set(await value()));
  add('used_bytes', 'Bytes of all files, as quotas count them', () => sumOf('used_bytes'));
  add('trash_bytes', 'Bytes of deleted files that can be restored', () => sumOf('trash_bytes'));
  add('links', 'Links to folders and to chosen files', async () => (await links()).count);
  add(
    'link_downloads',
    'Downloads through existing links, one per visitor and hour',
    async () => (await links()).downloads,
  );
  add(
    'link_uploads',
    'Files that visitors have sent through existing links',
    async () => (await links()).uploads,
  );
  add('pictures_pending', 'Pictures whose thumbnail or preview is to be rendered', () =>
    countPending(database),
  );
  add('free_bytes', 'Bytes that the blob store has left; +Inf when unknown', blobs.freeBytes);
}
