import { type Selectable, sql } from 'kysely';
import { DAY, HOUR } from '../kernel/clock.ts';
import type { Database, Reader } from '../kernel/database/database.ts';
import { readNow } from '../kernel/database/now.ts';
import { isFinal, messageStatus } from '../kernel/outbox/message.ts';
import { DEADLINE_MS } from '../kernel/outbox/rows.ts';
import type { OutboxStatus, OutboxTable } from '../kernel/tables.ts';

/** A message, summarized from its parts. Times in milliseconds. */
export interface MessageSummary {
  id: string;
  kind: string;
  clientId: string | null;
  status: OutboxStatus;
  attempts: number;
  parts: number;
  /** Of the first part. */
  payload: unknown;
  error: string | null;
  errorCode: string | null;
  sandbox: boolean;
  nextAttemptAt: number | null;
  dateCreated: number;
  dateFinished: number | null;
}

export interface MessageFilter {
  kind?: string;
  status?: OutboxStatus;
  clientId?: string;
  sandbox?: boolean;
  /** Text in the payload or in the error, in any case. */
  search?: string;
  /** Id of the last message of the previous page. */
  before?: string;
  limit: number;
}

/** The log of all messages. */
export interface History {
  /** Newest first. */
  list(filter: MessageFilter): Promise<MessageSummary[]>;
  /** Returns counts of the last `hours` hours, oldest first; `hour` is the start of the hour in ms. */
  perHour(hours: number): Promise<{ hour: number; kind: string; accepted: number; failed: number }[]>;
  /** Returns, by kind and client, when the oldest queued message became due, in ms. */
  oldestWaiting(): Promise<{ kind: string; clientId: string | null; since: number }[]>;
  /** Deletes finished messages older than `days` days, and all but the newest `count` of each kind. */
  sweep(kept: { days: number; count: number }): Promise<void>;
}

export function createHistory(database: Database): History {
  const now = () => readNow(database, database.read);
  return {
    async list(filter) {
      const page = await selectIds(database.read, filter);
      if (page.length === 0) return [];
      const rows = await database.read
        .selectFrom('outbox')
        .selectAll()
        .where('message_id', 'in', page)
        .orderBy('part')
        .execute();
      const byMessage = Map.groupBy(rows, (row) => row.message_id);
      return page.map((id) => summarize(id, byMessage.get(id) ?? []));
    },

    async perHour(hours) {
      const since = Math.floor((await now()) / HOUR) * HOUR - (hours - 1) * HOUR;
      const hour = sql<number>`date_created - date_created % ${sql.lit(HOUR)}`;
      const rows = await database.read
        .selectFrom('outbox')
        .select((of) => [
          hour.as('hour'),
          'kind',
          of.fn.countAll<number>().as('accepted'),
          of.fn.sum<number>(of.case().when('status', '=', 'failed').then(1).else(0).end()).as('failed'),
        ])
        .where('date_created', '>=', since)
        .where('part', '=', 0)
        .groupBy([hour, 'kind'])
        .orderBy(hour)
        .execute();
      return rows.map(({ kind, hour, accepted, failed }) => {
        return { hour: Number(hour), kind, accepted: Number(accepted), failed: Number(failed) };
      });
    },

    async oldestWaiting() {
      const current = await now();
      const rows = await database.read
        .selectFrom('outbox')
        .select((of) => ['kind', 'client_id as clientId', of.fn.min<number>('deadline_at').as('deadline')])
        .where('status', '=', 'queued')
        .groupBy(['kind', 'client_id'])
        .execute();
      return rows
        .map(({ kind, clientId, deadline }) => ({ kind, clientId, since: Number(deadline) - DEADLINE_MS }))
        .filter(({ since }) => since <= current);
    },

    async sweep({ days, count }) {
      const oldest = (await now()) - days * DAY;
      const kinds = await database.read.selectFrom('outbox').select('kind').distinct().execute();
      for (const { kind } of kinds) {
        const firstExcess = await database.read
          .selectFrom('outbox')
          .select('date_created')
          .where('kind', '=', kind)
          .orderBy('date_created', 'desc')
          .offset(count)
          .limit(1)
          .executeTakeFirst();
        const before = Math.max(oldest, firstExcess?.date_created ?? 0);
        await database.transaction((trx) =>
          trx
            .deleteFrom('outbox')
            .where('kind', '=', kind)
            .where('status', '!=', 'queued')
            .where('date_created', '<=', before)
            .execute(),
        );
      }
    },
  };
}

/** Returns the ids of the messages of a page, newest first. */
async function selectIds(reader: Reader, filter: MessageFilter): Promise<string[]> {
  const { kind, status, clientId, sandbox, search, before, limit } = filter;
  let query = reader
    .selectFrom('outbox')
    .select('message_id')
    .where('part', '=', 0)
    .orderBy('message_id', 'desc')
    .limit(limit);
  if (kind) query = query.where('kind', '=', kind);
  if (clientId) query = query.where('client_id', '=', clientId);
  if (sandbox !== undefined) query = query.where('sandbox', '=', sandbox ? 1 : 0);
  if (before) query = query.where('message_id', '<', before);
  if (search) {
    const pattern = `%${search.replace(/[%_\\]/g, '\\$&').toLowerCase()}%`;
    const contains = (column: string) =>
      sql`lower(coalesce(${sql.ref(column)}, '')) like ${pattern} escape '\\'`;
    query = query.where(sql<boolean>`(${contains('payload')} or ${contains('error')})`);
  }
  if (status) {
    query = query.where((where) =>
      where.exists(
        where
          .selectFrom('outbox as other')
          .select('other.id')
          .whereRef('other.message_id', '=', 'outbox.message_id')
          .where('other.status', '=', status),
      ),
    );
  }
  return (await query.execute()).map((row) => row.message_id);
}

function summarize(id: string, parts: readonly Selectable<OutboxTable>[]): MessageSummary {
  const [first] = parts;
  const failed = parts.find(({ error }) => error !== null) ?? first;
  const queued = parts.filter(({ status }) => !isFinal(status));
  const isFinished = queued.length === 0;
  return {
    id,
    kind: first?.kind ?? '',
    clientId: first?.client_id ?? null,
    status: messageStatus(parts),
    attempts: Math.max(0, ...parts.map(({ attempts }) => attempts)),
    parts: parts.length,
    payload: JSON.parse(first?.payload ?? 'null') as unknown,
    error: failed?.error ?? null,
    errorCode: failed?.error_code ?? null,
    sandbox: first?.sandbox === 1,
    nextAttemptAt: isFinished ? null : Math.min(...queued.map((part) => part.next_attempt_at)),
    dateCreated: first?.date_created ?? 0,
    dateFinished: isFinished ? Math.max(...parts.map((part) => part.date_finished ?? 0)) : null,
  };
}
