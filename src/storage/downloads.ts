import { type Clock, HOUR } from '../kernel/clock.ts';
import type { Vault } from '../kernel/crypto/vault.ts';
import type { Database } from '../kernel/database/database.ts';
import { Problem } from '../kernel/http/problem.ts';
import type { StoredFile } from './file.ts';

export interface Downloader {
  address: string;
  userAgent: string;
}

/** Counts strangers' downloads, and stops them where a file may be downloaded only so many times. */
export interface Downloads {
  /**
   * Counts a download, once an hour for each visitor and file, so that ranges and repeats cost nothing.
   * @throws Problem 410 `download_limit_reached`
   */
  take(file: StoredFile, downloader: Downloader): Promise<void>;
  /** Writes down what was counted of files without a limit. */
  flush(): Promise<void>;
  /** Deletes grants that have run out. */
  sweep(): Promise<void>;
}

const GRANT_MS = HOUR;
const SEEN_KEPT = 50_000;

export function createDownloads({ database, vault, clock }: { database: Database; vault: Vault; clock: Clock }): Downloads {
  // Without a limit the count is for the owner's eyes, so it may be gathered here rather than cost each download a commit.
  let counts = new Map<string, number>();
  const seen = new Map<string, number>();

  function count(file: StoredFile, { address, userAgent }: Downloader): void {
    const now = clock.now();
    const key = `${file.id} ${address} ${userAgent}`;
    if ((seen.get(key) ?? 0) > now) return;
    if (seen.size >= SEEN_KEPT) seen.clear();
    seen.set(key, now + GRANT_MS);
    counts.set(file.id, (counts.get(file.id) ?? 0) + 1);
  }

  return {
    async take(file, downloader) {
      if (file.maxDownloads === null) {
        count(file, downloader);
        return;
      }
      const visitor = vault.sign('downloader', `${downloader.address} ${downloader.userAgent}`);
      const now = clock.now();
      const ends = now + GRANT_MS;
      const live = await database.read
        .selectFrom('download_grants')
        .select('expires_at')
        .where('file_id', '=', file.id)
        .where('visitor', '=', visitor)
        .where('expires_at', '>', now)
        .executeTakeFirst();
      if (live) return;
      await database.transaction(async (trx) => {
        const granted = await trx
          .insertInto('download_grants')
          .values({ file_id: file.id, visitor, expires_at: ends })
          .onConflict((conflict) =>
            conflict.columns(['file_id', 'visitor']).doUpdateSet({ expires_at: ends }).where('download_grants.expires_at', '<=', now),
          )
          .returning('file_id')
          .executeTakeFirst();
        // Another request of the same visitor was faster.
        if (!granted) return;
        const counted = await trx
          .updateTable('files')
          .set((set) => ({ download_count: set('download_count', '+', 1) }))
          .where('id', '=', file.id)
          .where((where) => where('download_count', '<', where.ref('max_downloads')))
          .returning('id')
          .executeTakeFirst();
        if (!counted) throw new Problem('download_limit_reached', 'This file has been downloaded as often as its owner allowed.');
      });
    },

    async flush() {
      if (counts.size === 0) return;
      const gathered = counts;
      counts = new Map();
      await database.transaction(async (trx) => {
        for (const [id, count] of gathered) {
          await trx
            .updateTable('files')
            .set((set) => ({ download_count: set('download_count', '+', count) }))
            .where('id', '=', id)
            // A limit that was set meanwhile counts from then on.
            .where('max_downloads', 'is', null)
            .execute();
        }
      });
    },

    async sweep() {
      await database.transaction((trx) => trx.deleteFrom('download_grants').where('expires_at', '<=', clock.now()).execute());
      for (const [key, ends] of seen) if (ends <= clock.now()) seen.delete(key);
    },
  };
}
