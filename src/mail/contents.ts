import { sql } from 'kysely';
import { bufferOf, MB } from '../kernel/bytes.ts';
import { type Clock, DAY, HOUR } from '../kernel/clock.ts';
import { inBatches } from '../kernel/database/batches.ts';
import type { Database, Transaction } from '../kernel/database/database.ts';
import { throwUnlessUnavailable } from '../kernel/errors/unavailable.ts';
import type { GiveWay } from '../kernel/event-loop/time-slices.ts';
import { firstWithin } from '../kernel/first-within.ts';
import { DEADLINE_MS, KEPT_DAYS } from '../kernel/outbox/rows.ts';
import { createContentParts, PART_BYTES } from './content-parts.ts';

/** The bytes of e-mails, kept for delivery, for sending again and for the administration pages. */
export interface Contents {
  /**
   * Stores the bytes of large e-mails in parts, before the transaction that adds the e-mails: writing megabytes in one
   * statement would delay other requests.
   * @returns a function that deletes the e-mails that were not added. Call it after that transaction.
   */
  prepare(mails: readonly MailBytes[]): Promise<() => Promise<void>>;
  /** Adds an e-mail, prepared or not. @param sendAt time of the first attempt, ms since the epoch */
  add(trx: Transaction, mail: MailBytes, sendAt: number): Promise<void>;
  /** Returns null when it is no longer kept. */
  find(id: string): Promise<StoredMailBytes | null>;
  sweep(): Promise<void>;
}

export interface MailBytes {
  /** Id of its outbox row. */
  rowId: string;
  mime: Buffer;
}

export interface StoredMailBytes {
  /** Bytes. */
  size: number;
  /** The bytes of a large e-mail are read in pieces. */
  mime: Buffer | AsyncIterable<Buffer>;
}

/** An outbox row may be sent again on its last day, and is then attempted until its deadline, or somewhat longer. */
const KEPT_MS = KEPT_DAYS * DAY + DEADLINE_MS + DAY;
/** Maximum time between `prepare` and `add`. */
const PREPARED_MS = HOUR;
/** Limits of the contents that one transaction deletes. */
const CONTENTS_AT_ONCE = 100;
const BYTES_AT_ONCE = 32 * MB;

interface ContentsDeps {
  database: Database;
  clock: Clock;
  /** Called after each piece of a large e-mail. */
  giveWay: GiveWay;
}

export function createContents({ database, clock, giveWay }: ContentsDeps): Contents {
  const parts = createContentParts({ database, giveWay });
  const insert = (trx: Transaction, id: string, mime: Uint8Array, keep_until: number) =>
    trx.insertInto('mail_contents').values({ id, mime, keep_until }).execute();

  async function prepareOne({ rowId, mime }: MailBytes, keepUntil: number): Promise<void> {
    await database.transaction((trx) => insert(trx, rowId, new Uint8Array(), keepUntil));
    await parts.add(rowId, mime);
  }

  /** @param keepUntil the time that was set when they were prepared */
  async function discard(ids: readonly string[], keepUntil: number): Promise<void> {
    await database
      .transaction((trx) =>
        trx.deleteFrom('mail_contents').where('id', 'in', ids).where('keep_until', '=', keepUntil).execute(),
      )
      .catch(throwUnlessUnavailable);
  }

  return {
    async prepare(mails) {
      const large = mails.filter(({ mime }) => mime.length > PART_BYTES);
      if (large.length === 0) return async () => {};
      const ids = large.map(({ rowId }) => rowId);
      const keepUntil = clock.now() + PREPARED_MS;
      try {
        for (const mail of large) await prepareOne(mail, keepUntil);
      } catch (error) {
        await discard(ids, keepUntil);
        throw error;
      }
      return () => discard(ids, keepUntil);
    },
    async add(trx, { rowId, mime }, sendAt) {
      const keepUntil = sendAt + KEPT_MS;
      if (mime.length > PART_BYTES) {
        const { numUpdatedRows } = await trx
          .updateTable('mail_contents')
          .set({ keep_until: keepUntil })
          .where('id', '=', rowId)
          .executeTakeFirst();
        if (numUpdatedRows > 0n) return await parts.join(trx, rowId);
      }
      await insert(trx, rowId, mime, keepUntil);
    },
    async find(id) {
      const row = await database.read
        .selectFrom('mail_contents')
        .select([
          sql<number>`octet_length(mime)`.as('size'),
          sql<Uint8Array>`substr(mime, 1, ${PART_BYTES})`.as('start'),
        ])
        .where('id', '=', id)
        .executeTakeFirst();
      if (!row) return null;
      const { size, start } = row;
      if (size === 0) return await parts.find(id);
      return { size, mime: size > start.length ? parts.readJoined(id, size) : bufferOf(start) };
    },
    async sweep() {
      await inBatches(database, (trx) => deleteSome(trx, clock.now()));
    },
  };
}

/** Returns all bytes of a stored e-mail. */
export async function wholeMail({ size, mime }: StoredMailBytes): Promise<Buffer> {
  if (Buffer.isBuffer(mime)) return mime;
  const whole = Buffer.allocUnsafeSlow(size);
  let at = 0;
  for await (const piece of mime) at += piece.copy(whole, at);
  return whole;
}

/** Deletes contents that are no longer kept, with their parts; returns whether there may be more. */
async function deleteSome(trx: Transaction, now: number): Promise<boolean> {
  const inParts = sql`select sum(octet_length(bytes)) from mail_content_parts where content_id = mail_contents.id`;
  const due = await trx
    .selectFrom('mail_contents')
    .select(['id', sql<number>`octet_length(mime) + coalesce((${inParts}), 0)`.as('bytes')])
    .where('keep_until', '<', now)
    .orderBy('keep_until')
    .limit(CONTENTS_AT_ONCE)
    .execute();
  const ids = firstWithin(due, BYTES_AT_ONCE, ({ bytes }) => bytes).map(({ id }) => id);
  if (ids.length === 0) return false;
  await trx.deleteFrom('mail_contents').where('id', 'in', ids).execute();
  return ids.length < due.length || due.length === CONTENTS_AT_ONCE;
}
