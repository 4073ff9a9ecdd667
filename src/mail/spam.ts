import { type Clock, DAY, isoTime } from '../kernel/clock.ts';
import type { Database, Transaction } from '../kernel/database/database.ts';
import { newId } from '../kernel/ids.ts';
import type { ContactRequest } from './compose/contact-request.ts';
import type { Visitor } from './compose/system-info.ts';
import type { MailSpamTable } from './tables.ts';

/** A form as sent, and its visitor. */
export interface KeptForm {
  request: ContactRequest;
  visitor: Visitor;
}

/** A contact form that was classified as spam. */
export interface SpamForm {
  id: string;
  clientId: string;
  reason: string;
  form: KeptForm;
  dateCreated: string;
}

/** Contact forms that look like spam, kept for a while so that no message is lost silently. */
export interface Spam {
  keep(trx: Transaction, clientId: string, reason: string, form: KeptForm): Promise<void>;
  find(id: string): Promise<SpamForm | null>;
  /** Returns the forms, newest first. */
  list(limit: number): Promise<SpamForm[]>;
  /** @returns false = there is no such form */
  remove(trx: Transaction, id: string): Promise<boolean>;
  sweep(): Promise<void>;
}

const KEPT_MS = 30 * DAY;
const MAX_KEPT = 10_000;

export function createSpam({ database, clock }: { database: Database; clock: Clock }): Spam {
  return {
    async keep(trx, clientId, reason, form) {
      await trx
        .insertInto('mail_spam')
        .values({
          id: newId(),
          client_id: clientId,
          reason,
          form: JSON.stringify(form),
          date_created: clock.now(),
        })
        .execute();
    },
    async find(id) {
      const row = await database.read
        .selectFrom('mail_spam')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst();
      return row ? fromRow(row) : null;
    },
    async list(limit) {
      const rows = await database.read
        .selectFrom('mail_spam')
        .selectAll()
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(fromRow);
    },
    async remove(trx, id) {
      const { numDeletedRows } = await trx.deleteFrom('mail_spam').where('id', '=', id).executeTakeFirst();
      return numDeletedRows > 0n;
    },
    async sweep() {
      await deleteOld(database, clock.now());
    },
  };
}

/** Deletes the forms that are too old, and the oldest ones beyond `MAX_KEPT`. */
async function deleteOld(database: Database, now: number): Promise<void> {
  const firstExcess = await database.read
    .selectFrom('mail_spam')
    .select('id')
    .orderBy('id', 'desc')
    .offset(MAX_KEPT)
    .limit(1)
    .executeTakeFirst();
  await database.transaction((trx) =>
    trx
      .deleteFrom('mail_spam')
      .where((where) =>
        where.or([
          where('date_created', '<', now - KEPT_MS),
          ...(firstExcess ? [where('id', '<=', firstExcess.id)] : []),
        ]),
      )
      .execute(),
  );
}

function fromRow(row: MailSpamTable): SpamForm {
  return {
    id: row.id,
    clientId: row.client_id,
    reason: row.reason,
    form: JSON.parse(row.form) as KeptForm,
    dateCreated: isoTime(row.date_created),
  };
}
