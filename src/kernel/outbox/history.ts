import { sql } from 'kysely';
import { type Clock, DAY, HOUR } from '../clock.ts';
import type { Database } from '../database/database.ts';
import type { OutboxStatus } from '../tables.ts';
import { isFinal } from './message.ts';
import { DEADLINE_MS } from './store.ts';

/** A message as its parts make it. */
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
  /** Text that stands in what was sent or in the peer's words. */
  search?: string;
  /** Id of the last message of the page before. */
  before?: string;
  limit: number;
}

/** Looks at what the outbox has done. */
export interface History {
  /** Newest first. */
  list(filter: MessageFilter): Promise<MessageSummary[]>;
  /** Counts of the last `hours` hours, the oldest hour first; `hour` is its beginning in ms since the epoch. */
  perHour(hours: number): Promise<{ hour: number; kind: string; accepted: number; failed: number }[]>;
  /** Since when the oldest waits, by client; what is to be sent later waits from then on. */
  oldestWaiting(): Promise<{ kind: string; clientId: string | null; since: number }[]>;
  /** Deletes what ended longer ago than `days` days, and all but the newest `count` of each kind. */
  sweep(kept: { days: number; count: number }): Promise<void>;
}

export function createHistory({ database, clock }: { database: Database; clock: Clock }): History {
  return {
    async list({ kind, status, clientId, sandbox, search, before, limit }) {
      let query = database.read.selectFrom('outbox').select('message_id').where('part', '=', 0).orderBy('message_id', 'desc').limit(limit);
      if (kind) query = query.where('kind', '=', kind);
      if (clientId) query = query.where('client_id', '=', clientId);
      if (sandbox !== undefined) query = query.where('sandbox', '=', sandbox ? 1 : 0);
      if (before) query = query.where('message_id', '<', before);
      if (search) {
        const pattern = `%${search.replace(/[%_\\]/g, '\\$&').toLowerCase()}%`;
        query = query.where(
          sql<boolean>`(lower(payload) like ${pattern} escape '\\' or lower(coalesce(error, '')) like ${pattern} escape '\\')`,
        );
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
      const page = (await query.execute()).map((row) => row.message_id);
      if (page.length === 0) return [];
      const rows = await database.read
        .selectFrom('outbox')
        .select([
          'message_id',
          'part',
          'kind',
          'client_id',
          'status',
          'attempts',
          'error',
          'error_code',
          'sandbox',
          'next_attempt_at',
          'date_created',
          'date_finished',
          'payload',
        ])
        .where('message_id', 'in', page)
        .orderBy('part')
        .execute();
      const byMessage = Map.groupBy(rows, (row) => row.message_id);
      return page.map((id) => {
        const parts = byMessage.get(id) ?? [];
        const [first] = parts;
        const telling = parts.find((part) => part.error !== null) ?? first;
        const ended = parts.every((part) => isFinal(part.status));
        return {
          id,
          kind: first?.kind ?? '',
          clientId: first?.client_id ?? null,
          status: statusOf(parts),
          attempts: Math.max(0, ...parts.map((part) => part.attempts)),
          parts: parts.length,
          payload: JSON.parse(first?.payload ?? 'null') as unknown,
          error: telling?.error ?? null,
          errorCode: telling?.error_code ?? null,
          sandbox: first?.sandbox === 1,
          nextAttemptAt: ended ? null : Math.min(...parts.filter((part) => !isFinal(part.status)).map((part) => part.next_attempt_at)),
          dateCreated: first?.date_created ?? 0,
          dateFinished: ended ? Math.max(...parts.map((part) => part.date_finished ?? 0)) : null,
        };
      });
    },

    async perHour(hours) {
      const since = Math.floor(clock.now() / HOUR) * HOUR - (hours - 1) * HOUR;
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
      return rows.map((row) => ({ hour: Number(row.hour), kind: row.kind, accepted: Number(row.accepted), failed: Number(row.failed) }));
    },

    async oldestWaiting() {
      const rows = await database.read
        .selectFrom('outbox')
        .select((of) => ['kind', 'client_id', of.fn.min<number>('deadline_at').as('deadline')])
        .where('status', '=', 'queued')
        .groupBy(['kind', 'client_id'])
        .execute();
      return rows
        .map(({ kind, client_id, deadline }) => ({ kind, clientId: client_id, since: Number(deadline) - DEADLINE_MS }))
        .filter(({ since }) => since <= clock.now());
    },

    async sweep({ days, count }) {
      const kinds = await database.read.selectFrom('outbox').select('kind').distinct().execute();
      for (const { kind } of kinds) {
        const edge = await database.read
          .selectFrom('outbox')
          .select('date_created')
          .where('kind', '=', kind)
          .orderBy('date_created', 'desc')
          .offset(count)
          .limit(1)
          .executeTakeFirst();
        const before = Math.max(clock.now() - days * DAY, edge?.date_created ?? 0);
        await database.transaction((trx) =>
          trx.deleteFrom('outbox').where('kind', '=', kind).where('status', '!=', 'queued').where('date_created', '<=', before).execute(),
        );
      }
    },
  };
}

/** What a message is by its parts: it waits while one waits, and one that failed outweighs those that went through. */
export function statusOf(parts: readonly { status: OutboxStatus }[]): OutboxStatus {
  const order: OutboxStatus[] = ['queued', 'failed', 'unknown', 'cancelled', 'sent'];
  return order.find((status) => parts.some((part) => part.status === status)) ?? 'queued';
}
