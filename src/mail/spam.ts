import { sql } from 'kysely';
import { type Clock, DAY, isoTime } from '../kernel/clock.ts';
import type { Database, Reader, Transaction } from '../kernel/database/database.ts';
import { deleteOld } from '../kernel/database/delete-old.ts';
import { firstWithin } from '../kernel/first-within.ts';
import { newId } from '../kernel/ids.ts';
import type { ContactRequest } from './compose/contact-request.ts';
import { fieldRows, type Visitor } from './compose/system-info.ts';
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
  /** Returns the newest forms, newest first: at most `limit`, and fewer of long ones. */
  list(limit: number): Promise<SpamForm[]>;
  /** @returns false = there is no such form */
  remove(trx: Transaction, id: string): Promise<boolean>;
  sweep(): Promise<void>;
}

const KEPT_MS = 30 * DAY;
const MAX_KEPT = 10_000;
/** Maximum sum of the sizes of all forms, and of those of a list. */
const MAX_KEPT_BYTES = 1e9;
const MAX_SHOWN_BYTES = 4_000_000;
const MAX_TEXT_LENGTH = 1_000;

export function createSpam({ database, clock }: { database: Database; clock: Clock }): Spam {
  return {
    async keep(trx, clientId, reason, form) {
      await trx
        .insertInto('mail_spam')
        .values({
          id: newId(),
          client_id: clientId,
          reason,
          form: JSON.stringify(shortened(form)),
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
      const sizes = await sizesOf(database.read, limit);
      const shown = firstWithin(sizes, MAX_SHOWN_BYTES, ({ size }) => size).map(({ id }) => id);
      if (shown.length === 0) return [];
      const rows = await database.read
        .selectFrom('mail_spam')
        .selectAll()
        .where('id', 'in', shown)
        .orderBy('id', 'desc')
        .execute();
      return rows.map(fromRow);
    },
    async remove(trx, id) {
      const { numDeletedRows } = await trx.deleteFrom('mail_spam').where('id', '=', id).executeTakeFirst();
      return numDeletedRows > 0n;
    },
    async sweep() {
      const sizes = await sizesOf(database.read, MAX_KEPT);
      const oldest = firstWithin(sizes, MAX_KEPT_BYTES, ({ size }) => size).at(-1)?.id ?? '';
      const before = clock.now() - KEPT_MS;
      await deleteOld(database, 'mail_spam', ['id'], (where) =>
        where.or([where('date_created', '<', before), where('id', '<', oldest)]),
      );
    },
  };
}

/** Returns the ids and sizes in bytes of the newest forms, newest first, without reading their texts. */
async function sizesOf(reader: Reader, limit: number): Promise<{ id: string; size: number }[]> {
  return await reader
    .selectFrom('mail_spam')
    .select(['id', sql<number>`octet_length(form)`.as('size')])
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Cuts what an e-mail of the form would not contain: visitors choose the fields, and their values. */
function shortened({ request, visitor }: KeptForm): KeptForm {
  const { ChallengeToken, SystemInfo, ...fields } = request;
  return {
    request: {
      ...fields,
      Email: fields.Email.slice(0, MAX_TEXT_LENGTH),
      ...(fields.Website !== undefined && { Website: fields.Website.slice(0, MAX_TEXT_LENGTH) }),
      ...(fields.Fields && { Fields: asFields(fields.Fields) }),
    },
    visitor: {
      ...visitor,
      userAgent: visitor.userAgent?.slice(0, MAX_TEXT_LENGTH) ?? null,
      language: visitor.language?.slice(0, MAX_TEXT_LENGTH) ?? null,
      referrer: visitor.referrer?.slice(0, MAX_TEXT_LENGTH) ?? null,
      more: asFields(visitor.more),
    },
  };
}

function asFields(values: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(fieldRows(values).map(({ name, value }) => [name, value]));
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
