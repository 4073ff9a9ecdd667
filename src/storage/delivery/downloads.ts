import { createCache } from '../../kernel/cache.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Vault } from '../../kernel/crypto/vault.ts';
import type { Database, Transaction } from '../../kernel/database/database.ts';
import { Problem } from '../../kernel/problem.ts';
import { createGrants, GRANT_MS, type Grant, type Grants } from './grants.ts';
import type { Shared } from './protected.ts';

export interface Downloader {
  address: string;
  userAgent: string;
}

/** A shared file or link, with its limit. */
export interface Counted {
  id: string;
  /** Null = no limit. */
  maxDownloads: number | null;
}

/** Counts public downloads, and enforces the limits of files or of links. */
export interface Downloads {
  /**
   * Counts a download once per hour, visitor and file or link, on all nodes: further ranges and repetitions
   * are not counted.
   * @throws Problem 410 `download_limit_reached`
   */
  take(shared: Counted, downloader: Downloader): Promise<void> | undefined;
  /** Stores the counts of downloads of files or links without a limit. */
  flush(): Promise<void>;
  /** Deletes expired grants. */
  sweep(): Promise<void>;
}

const SEEN_KEPT = 50_000;
/** Maximum number of downloads that wait for `flush`; further ones are not counted. */
const WAITING_AT_MOST = 20_000;
/**
 * Maximum number of visitors of a file or link that this process counts in an hour. With a limit, each further request
 * counts as a download, so that its grants, which are deleted with the file, remain few.
 */
export const VISITORS_AT_MOST = 10_000;
const BATCH = 1_000;

interface DownloadsDeps {
  database: Database;
  vault: Vault;
  clock: Clock;
  /** The kind of objects whose downloads are counted. */
  of: Shared;
}

export function createDownloads({ database, vault, clock, of }: DownloadsDeps): Downloads {
  const grants = createGrants(database, of);
  // Without a limit the count is informative, so it is collected here and costs no commit per download.
  const waiting: Grant[] = [];
  const seen = createCache<true>({ max: SEEN_KEPT, expiry: { ttlMs: GRANT_MS, clock } });
  /** The numbers of visitors that were counted in an hour. */
  const visitors = createCache<number>({ max: SEEN_KEPT, expiry: { ttlMs: GRANT_MS, clock } });
  const grantOf = ({ id }: Counted, { address, userAgent }: Downloader): Grant => ({
    id,
    visitor: vault.sign('downloader', `${address} ${userAgent}`),
  });

  function count(shared: Counted, downloader: Downloader): void {
    // User agents can have kilobytes. A hash of 64 bits would be a BigInt, whose conversion takes longer than all else.
    const key = `${shared.id} ${downloader.address} ${Bun.hash.xxHash32(downloader.userAgent)}`;
    if (seen.has(key)) return;
    const before = visitors.get(shared.id) ?? 0;
    if (before >= VISITORS_AT_MOST || waiting.length >= WAITING_AT_MOST) return;
    seen.set(key, true);
    visitors.set(shared.id, before + 1, { noUpdateTTL: true });
    waiting.push(grantOf(shared, downloader));
  }

  async function takeGrant(grant: Grant): Promise<void> {
    if (await grants.isLive(grant)) return;
    const before = visitors.get(grant.id) ?? 0;
    const isGranted = before < VISITORS_AT_MOST;
    if (isGranted) visitors.set(grant.id, before + 1, { noUpdateTTL: true });
    await database.transaction(async (trx) => {
      // No grant: another request of the same visitor has counted the download.
      if (isGranted && (await grants.insert(trx, [grant])).length === 0) return;
      if (!(await grants.countOne(trx, grant.id)))
        throw new Problem(
          'download_limit_reached',
          `This ${of} has been downloaded as often as its owner allowed.`,
        );
    });
  }

  return {
    take(shared, downloader) {
      if (shared.maxDownloads !== null) return takeGrant(grantOf(shared, downloader));
      count(shared, downloader);
      return undefined;
    },

    async flush() {
      while (waiting.length > 0) {
        const batch = waiting.splice(0, BATCH);
        await database
          .transaction((trx) => countAll(trx, grants, batch))
          .catch((error) => {
            waiting.push(...batch);
            throw error;
          });
      }
    },

    sweep: grants.sweep,
  };
}

async function countAll(trx: Transaction, grants: Grants, batch: readonly Grant[]): Promise<void> {
  const distinct = [...new Map(batch.map((grant) => [`${grant.id} ${grant.visitor}`, grant])).values()];
  const granted = await grants.insert(trx, distinct);
  const counts = Map.groupBy(granted.sort(), (id) => id);
  for (const [id, { length }] of counts) await grants.countUnlimited(trx, id, length);
}
