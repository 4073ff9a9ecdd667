import { type RawBuilder, sql } from 'kysely';
import { createCache } from '../../kernel/cache.ts';
import { type Clock, HOUR } from '../../kernel/clock.ts';
import type { Vault } from '../../kernel/crypto/vault.ts';
import type { Database, Transaction } from '../../kernel/database/database.ts';
import { jsonTable } from '../../kernel/database/json-table.ts';
import { Problem } from '../../kernel/problem.ts';
import type { StoredFile } from '../tree/file.ts';

export interface Downloader {
  address: string;
  userAgent: string;
}

/** Counts public downloads, and enforces the limits of files. */
export interface Downloads {
  /**
   * Counts a download, once an hour per visitor and file on all nodes, so that ranges and repetitions are free.
   * @throws Problem 410 `download_limit_reached`
   */
  take(file: StoredFile, downloader: Downloader): Promise<void>;
  /** Stores the downloads of files without a limit. */
  flush(): Promise<void>;
  /** Deletes expired grants. */
  sweep(): Promise<void>;
}

const GRANT_MS = HOUR;
const SEEN_KEPT = 50_000;
/** Downloads that wait for `flush`; further ones are not counted. */
const WAITING_AT_MOST = 20_000;
const BATCH = 1_000;

interface DownloadsDeps {
  database: Database;
  vault: Vault;
  clock: Clock;
}

/** A visitor may download a file for an hour, as one download. */
interface Grant {
  file_id: string;
  visitor: string;
}

export function createDownloads({ database, vault, clock }: DownloadsDeps): Downloads {
  // Without a limit the count is informative, so it is collected here and costs no commit per download.
  const waiting: Grant[] = [];
  const seen = createCache<true>({ max: SEEN_KEPT, expiry: { ttlMs: GRANT_MS, clock } });
  const ends = sql<number>`${database.now} + ${sql.lit(GRANT_MS)}`;
  const grantOf = (file: StoredFile, { address, userAgent }: Downloader): Grant => ({
    file_id: file.id,
    visitor: vault.sign('downloader', `${address} ${userAgent}`),
  });

  function count(file: StoredFile, downloader: Downloader): void {
    const key = `${file.id} ${downloader.address} ${downloader.userAgent}`;
    if (seen.has(key) || waiting.length >= WAITING_AT_MOST) return;
    seen.set(key, true);
    waiting.push(grantOf(file, downloader));
  }

  return {
    async take(file, downloader) {
      if (file.maxDownloads === null) count(file, downloader);
      else await takeGrant(database, grantOf(file, downloader), ends);
    },

    async flush() {
      while (waiting.length > 0) {
        const batch = waiting.splice(0, BATCH);
        await database
          .transaction((trx) => countAll(trx, database, batch, ends))
          .catch((error) => {
            waiting.push(...batch);
            throw error;
          });
      }
    },

    async sweep() {
      await database.transaction((trx) =>
        trx.deleteFrom('download_grants').where('expires_at', '<=', database.now).execute(),
      );
    },
  };
}

/** Counts a download unless the visitor has a live grant. @throws Problem 410 `download_limit_reached` */
async function takeGrant(database: Database, grant: Grant, ends: RawBuilder<number>): Promise<void> {
  const live = await database.read
    .selectFrom('download_grants')
    .select('expires_at')
    .where('file_id', '=', grant.file_id)
    .where('visitor', '=', grant.visitor)
    .where('expires_at', '>', database.now)
    .executeTakeFirst();
  if (live) return;
  await database.transaction(async (trx) => {
    const [granted] = await insertGrants(trx, database, [grant], ends);
    // Another request of the same visitor was faster.
    if (!granted) return;
    const counted = await trx
      .updateTable('files')
      .set((set) => ({ download_count: set('download_count', '+', 1) }))
      .where('id', '=', grant.file_id)
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

/** Inserts grants where there is no live one; returns the ids of the files of the new ones. */
async function insertGrants(
  trx: Transaction,
  database: Database,
  grants: readonly Grant[],
  ends: RawBuilder<number>,
): Promise<string[]> {
  // One order everywhere, so that no two nodes wait for each other. Files may have been deleted meanwhile.
  const wanted = jsonTable(database.kind, 'wanted', { file_id: 'text', visitor: 'text' }, grants);
  const { rows } = await sql<{ file_id: string }>`
    insert into download_grants (file_id, visitor, expires_at)
    select wanted.file_id, wanted.visitor, ${ends} from ${wanted} join files on files.id = wanted.file_id
    where true order by 1, 2
    on conflict (file_id, visitor) do update set expires_at = excluded.expires_at
      where download_grants.expires_at <= ${database.now}
    returning file_id`.execute(trx);
  return rows.map(({ file_id }) => file_id);
}

async function countAll(
  trx: Transaction,
  database: Database,
  grants: readonly Grant[],
  ends: RawBuilder<number>,
): Promise<void> {
  const distinct = [...new Map(grants.map((grant) => [`${grant.file_id} ${grant.visitor}`, grant])).values()];
  const granted = await insertGrants(trx, database, distinct, ends);
  const counts = Map.groupBy(granted.sort(), (id) => id);
  for (const [id, { length }] of counts) {
    await trx
      .updateTable('files')
      .set((set) => ({ download_count: set('download_count', '+', length) }))
      .where('id', '=', id)
      // A limit that was set meanwhile counts from then on.
      .where('max_downloads', 'is', null)
      .execute();
  }
}
