import { type Clock, DAY } from '../kernel/clock.ts';
import type { Database, Transaction } from '../kernel/database/database.ts';

/** The bytes of mails, kept for delivery, for sending again and for the administration pages. */
export interface Contents {
  /** @param sendAt time of the first attempt, ms since the epoch */
  add(trx: Transaction, id: string, mime: Buffer, sendAt: number): Promise<void>;
  /** Returns null when it is no longer kept. */
  find(id: string): Promise<Buffer | null>;
  sweep(): Promise<void>;
}

/** An outbox row is kept for 30 days, may be sent again on the last of them, and is then attempted for one day more. */
const KEPT_MS = 32 * DAY;

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
      await database.transaction((trx) =>
        trx.deleteFrom('mail_contents').where('keep_until', '<', clock.now()).execute(),
      );
    },
  };
}
