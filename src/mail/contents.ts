import { sql } from 'kysely';
import { MB } from '../kernel/bytes.ts';
import { type Clock, DAY } from '../kernel/clock.ts';
import { inBatches } from '../kernel/database/batches.ts';
import type { Database, Transaction } from '../kernel/database/database.ts';

/** The bytes of e-mails, kept for delivery, for sending again and for the administration pages. */
export interface Contents {
  /** @param sendAt time of the first attempt, ms since the epoch */
  add(trx: Transaction, id: string, mime: Buffer, sendAt: number): Promise<void>;
  /** Returns null when it is no longer kept. */
  find(id: string): Promise<Buffer | null>;
  sweep(): Promise<void>;
}

/** An outbox row is kept for 30 days, may be sent again on the last of them, and is then attempted for one day more. */
const KEPT_MS = 32 * DAY;
/** Limits of the contents that one transaction deletes. */
const CONTENTS_AT_ONCE = 100;
const BYTES_AT_ONCE = 32 * MB;

export function createContents({ database, clock }: { database: Database; clock: Clock }): Contents {
  return {
    async add(trx, id, mime, sendAt) {
      await trx
        .insertInto('mail_contents')
        .values({ id, mime, keep_until: sendAt + KEPT_MS })
        .execute();
    },
    async find(id) {
      const row = await database.read
        .selectFrom('mail_contents')
        .select('mime')
        .where('id', '=', id)
        .executeTakeFirst();
      return row ? Buffer.from(row.mime.buffer, row.mime.byteOffset, row.mime.byteLength) : null;
    },
    async sweep() {
      await inBatches(database, (trx) => deleteSome(trx, clock.now()));
    },
  };
}

/** Deletes contents that are no longer kept; returns whether there may be more. */
async function deleteSome(trx: Transaction, now: number): Promise<boolean> {
  const due = await trx
    .selectFrom('mail_contents')
    .select(['id', sql<number>`octet_length(mime)`.as('bytes')])
    .where('keep_until', '<', now)
    .orderBy('keep_until')
    .limit(CONTENTS_AT_ONCE)
    .execute();
  const ids: string[] = [];
  let bytes = 0;
  for (const row of due) {
    ids.push(row.id);
    bytes += row.bytes;
    if (bytes >= BYTES_AT_ONCE) break;
  }
  if (ids.length === 0) return false;
  await trx.deleteFrom('mail_contents').where('id', 'in', ids).execute();
  return ids.length < due.length || due.length === CONTENTS_AT_ONCE;
}
