import { sql } from 'kysely';
import { HOUR } from '../../kernel/clock.ts';
import type { Database, Transaction } from '../../kernel/database/database.ts';
import { deleteOld } from '../../kernel/database/delete-old.ts';
import { jsonTable } from '../../kernel/database/json-table.ts';
import { after } from '../../kernel/database/now.ts';
import { WHERE_TRUE } from '../../kernel/database/where-true.ts';
import type { Shared } from './protected.ts';

/** Time in which a visitor's further downloads are not counted. */
export const GRANT_MS = HOUR;

/** Permits a visitor to download a file or the content of a link repeatedly, counted as one download. */
export interface Grant {
  /** Id of the file or link. */
  id: string;
  /** HMAC of address and user agent. */
  visitor: string;
}

/** The rows of grants, and the counts of the files or links. */
export interface Grants {
  isLive(grant: Grant): Promise<boolean>;
  /** Inserts grants where there is no live one; returns the ids of the files or links of the new ones. */
  insert(trx: Transaction, grants: readonly Grant[]): Promise<string[]>;
  /** Counts a download of a file or link with a limit; returns false when the limit is reached. */
  countOne(trx: Transaction, id: string): Promise<boolean>;
  /** Counts downloads of a file or link without a limit. */
  countUnlimited(trx: Transaction, id: string, count: number): Promise<void>;
  /** Deletes expired grants. */
  sweep(): Promise<void>;
}

const NAMES = {
  file: { grants: 'download_grants', key: 'file_id', counted: 'files' },
  link: { grants: 'link_grants', key: 'link_id', counted: 'links' },
} as const;

export function createGrants(database: Database, of: Shared): Grants {
  const grants = sql.table(NAMES[of].grants);
  const key = sql.ref(NAMES[of].key);
  const counted = sql.table(NAMES[of].counted);
  const ends = after(database, GRANT_MS);
  return {
    async isLive({ id, visitor }) {
      const { rows } = await sql`
        select 1 from ${grants} where ${key} = ${id} and visitor = ${visitor} and expires_at > ${database.now}`.execute(
        database.read,
      );
      return rows.length > 0;
    },
    async insert(trx, wanted) {
      // The same order on all nodes, so that they cannot deadlock. Files may have been deleted meanwhile.
      const given = jsonTable(database.kind, 'wanted', { id: 'text', visitor: 'text' }, wanted);
      const { rows } = await sql<{ id: string }>`
        insert into ${grants} (${key}, visitor, expires_at)
        select wanted.id, wanted.visitor, ${ends} from ${given} join ${counted} on ${counted}.id = wanted.id
        ${WHERE_TRUE} order by 1, 2
        on conflict (${key}, visitor) do update set expires_at = excluded.expires_at
          where ${grants}.expires_at <= ${database.now}
        returning ${key} as id`.execute(trx);
      return rows.map(({ id }) => id);
    },
    async countOne(trx, id) {
      const { rows } = await sql`
        update ${counted} set download_count = download_count + 1
        where id = ${id} and download_count < max_downloads returning id`.execute(trx);
      return rows.length > 0;
    },
    async countUnlimited(trx, id, count) {
      // A limit that was set meanwhile applies to later downloads only.
      await sql`
        update ${counted} set download_count = download_count + ${count}
        where id = ${id} and max_downloads is null`.execute(trx);
    },
    async sweep() {
      await deleteOld(database, NAMES[of].grants, [NAMES[of].key, 'visitor'], (where) =>
        where('expires_at', '<=', database.now),
      );
    },
  };
}
