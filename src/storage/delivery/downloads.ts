import { createCache } from '../../kernel/cache.ts';
import { type Clock, HOUR } from '../../kernel/clock.ts';
import type { Vault } from '../../kernel/crypto/vault.ts';
import type { Database, Transaction } from '../../kernel/database/database.ts';
import { Problem } from '../../kernel/problem.ts';
import type { StoredFile } from '../tree/file.ts';

export interface Downloader {
  address: string;
  userAgent: string;
}

/** Counts public downloads, and enforces the limits of files. */
export interface Downloads {
  /**
   * Counts a download, once an hour per visitor and file, so that ranges and repetitions are free.
   * @throws Problem 410 `download_limit_reached`
   */
  take(file: StoredFile, downloader: Downloader): Promise<void>;
  /** Stores the counts of files without a limit. */
  flush(): Promise<void>;
  /** Deletes expired grants. */
  sweep(): Promise<void>;
}

const GRANT_MS = HOUR;
const SEEN_KEPT = 50_000;

interface DownloadsDeps {
  database: Database;
  vault: Vault;
  clock: Clock;
}

export function createDownloads({ database, vault, clock }: DownloadsDeps): Downloads {
  // Without a limit the count is informative, so it is collected here and costs no commit per download.
  let counts = new Map<string, number>();
  const seen = createCache<true>({ max: SEEN_KEPT, expiry: { ttlMs: GRANT_MS, clock } });

  function count(file: StoredFile, { address, userAgent }: Downloader): void {
    const key = `${file.id} ${address} ${userAgent}`;
    if (seen.has(key)) return;
    seen.set(key, true);
    counts.set(file.id, (counts.get(file.id) ?? 0) + 1);
  }

  return {
    async take(file, downloader) {
      if (file.maxDownloads === null) {
        count(file, downloader);
        return;
      }
      const visitor = vault.sign('downloader', `${downloader.address} ${downloader.userAgent}`);
      await takeGrant(database, file.id, visitor, clock.now());
    },

    async flush() {
      if (counts.size === 0) return;
      const collected = counts;
      counts = new Map();
      await database.transaction((trx) => addCounts(trx, collected));
    },

    async sweep() {
      await database.transaction((trx) =>
        trx.deleteFrom('download_grants').where('expires_at', '<=', clock.now()).execute(),
      );
      seen.purgeStale();
    },
  };
}

/** Counts a download unless the visitor has a live grant. @throws Problem 410 `download_limit_reached` */
async function takeGrant(database: Database, fileId: string, visitor: string, now: number): Promise<void> {
  const live = await database.read
    .selectFrom('download_grants')
    .select('expires_at')
    .where('file_id', '=', fileId)
    .where('visitor', '=', visitor)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (live) return;
  const ends = now + GRANT_MS;
  await database.transaction(async (trx) => {
    const granted = await trx
      .insertInto('download_grants')
      .values({ file_id: fileId, visitor, expires_at: ends })
      .onConflict((conflict) =>
        conflict
          .columns(['file_id', 'visitor'])
          .doUpdateSet({ expires_at: ends })
          .where('download_grants.expires_at', '<=', now),
      )
      .returning('file_id')
      .executeTakeFirst();
    // Another request of the same visitor was faster.
    if (!granted) return;
    const counted = await trx
      .updateTable('files')
      .set((set) => ({ download_count: set('download_count', '+', 1) }))
      .where('id', '=', fileId)
      .where((where) => where('download_count', '<', where.ref('max_downloads')))
      .returning('id')
      .executeTakeFirst();
    if (!counted)
      throw new Problem(
        'download_limit_reached',
        'This file has been downloaded as often as its owner allowed.',
      );
  });
}

async function addCounts(trx: Transaction, counts: ReadonlyMap<string, number>): Promise<void> {
  for (const [id, count] of counts) {
    await trx
      .updateTable('files')
      .set((set) => ({ download_count: set('download_count', '+', count) }))
      .where('id', '=', id)
      // A limit that was set meanwhile counts from then on.
      .where('max_downloads', 'is', null)
      .execute();
  }
}
