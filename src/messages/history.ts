import { sql } from 'kysely';
import { DAY, HOUR } from '../kernel/clock.ts';
import { BATCH_PAUSE_MS } from '../kernel/database/batches.ts';
import type { Database, Reader } from '../kernel/database/database.ts';
import { readNow } from '../kernel/database/now.ts';
import { readerFor } from '../kernel/database/reader-for.ts';
import { createTimeSlices } from '../kernel/event-loop/time-slices.ts';
import { isFinal, messageStatus } from '../kernel/outbox/message-status.ts';
import { DEADLINE_MS } from '../kernel/outbox/rows.ts';
import type { OutboxStatus } from '../kernel/tables.ts';
import { type FirstPart, readFirsts } from './first-parts.ts';
import { type MessageFilter, selectIds } from './select.ts';

/** A message, summarized from its parts. Times are ms since the epoch. */
export interface MessageSummary {
  id: string;
  kind: string;
  clientId: string | null;
  status: OutboxStatus;
  attempts: number;
  parts: number;
  /** Payload of the first part. */
  payload: unknown;
  error: string | null;
  errorCode: string | null;
  sandbox: boolean;
  nextAttemptAt: number | null;
  dateCreated: number;
  dateFinished: number | null;
}

export interface History {
  /**
   * Returns a page, newest first. With a text or several filters, a page ends after 50,000 rows, so it can have few
   * messages or none although older ones match.
   * @returns `older` is the `before` of the next page; null = this is the last page
   */
  list(filter: MessageFilter): Promise<{ messages: MessageSummary[]; older: string | null }>;
  /** Returns counts of the last `hours` hours, oldest first; `hour` is the start of the hour, ms since the epoch. */
  perHour(hours: number): Promise<{ hour: number; kind: string; accepted: number; failed: number }[]>;
  /** Returns the time at which the oldest queued message of each kind and client became due, ms since the epoch. */
  oldestWaiting(): Promise<{ kind: string; clientId: string | null; since: number }[]>;
  /** Deletes the finished messages that are older than `days` days or not among the newest `count` of their kind. */
  sweep(kept: { days: number; count: number }): Promise<void>;
}

const ROWS_AT_ONCE = 1000;

/** Caller of the long queries, which take turns with those of other callers. */
const CALLER = 'messages';

export function createHistory(database: Database): History {
  const now = () => readNow(database, database.read);
  const giveWay = createTimeSlices();
  const reader = () => readerFor(database, CALLER, (read) => read.selectFrom('outbox').select('message_id'));
  return {
    async list(filter) {
      const { ids: page, older } = await selectIds(database, filter);
      if (page.length === 0) return { messages: [], older };
      const byId = await readFirsts(database.read, page, giveWay);
      const groups = Map.groupBy(await readGroups(database, page), (group) => group.messageId);
      const errors = await readErrors(database, [...groups.values()]);
      const messages = page.map((id) =>
        summarize(id, groups.get(id) ?? [], byId.get(id), errors.get(id) ?? byId.get(id)),
      );
      return { messages, older };
    },

    async perHour(hours) {
      const since = Math.floor((await now()) / HOUR) * HOUR - (hours - 1) * HOUR;
      const reader = await readerFor(database, CALLER, (read) =>
        read.selectFrom('outbox').select('message_id').where('date_created', '>=', since),
      );
      const hour = sql<number>`date_created - date_created % ${sql.lit(HOUR)}`;
      return await reader
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
    },

    async oldestWaiting() {
      const current = await now();
      const rows = await (await reader())
        .selectFrom('outbox')
        .select((of) => ['kind', 'client_id as clientId', of.fn.min<number>('deadline_at').as('deadline')])
        .where('status', '=', 'queued')
        .groupBy(['kind', 'client_id'])
        .execute();
      return rows
        .map(({ kind, clientId, deadline }) => ({ kind, clientId, since: deadline - DEADLINE_MS }))
        .filter(({ since }) => since <= current);
    },

    async sweep({ days, count }) {
      const rows = await reader();
      // `days` may be a fraction.
      const last = Math.floor((await now()) - days * DAY);
      await deleteFinished(database, rows, { column: 'date_created', last });
      for (const kind of await kindsOf(rows)) {
        const firstExcess = await rows
          .selectFrom('outbox')
          .select('message_id')
          .where('kind', '=', kind)
          .orderBy('message_id', 'desc')
          .offset(count)
          .limit(1)
          .executeTakeFirst();
        if (firstExcess)
          await deleteFinished(database, rows, { column: 'message_id', last: firstExcess.message_id, kind });
      }
    },
  };
}

interface Finished {
  column: 'message_id' | 'date_created';
  last: string | number;
  kind?: string;
}

/** Deletes the finished rows whose `column` is at most `last`, oldest first, in short transactions. */
async function deleteFinished(
  database: Database,
  reader: Reader,
  { column, last, kind }: Finished,
): Promise<void> {
  for (let first: string | number = column === 'message_id' ? '' : 0; ; ) {
    let query = reader
      .selectFrom('outbox')
      .select(['id', `${column} as position`])
      .where(column, '>=', first)
      .where(column, '<=', last)
      .where('status', '!=', 'queued')
      .orderBy(column)
      .limit(ROWS_AT_ONCE);
    if (kind !== undefined) query = query.where('kind', '=', kind);
    const rows = await query.execute();
    const end = rows.at(-1);
    if (!end) return;
    await database.transaction((trx) =>
      trx
        .deleteFrom('outbox')
        .where(
          'id',
          'in',
          rows.map(({ id }) => id),
        )
        .where('status', '!=', 'queued')
        .execute(),
    );
    if (rows.length < ROWS_AT_ONCE) return;
    first = end.position;
    await Bun.sleep(BATCH_PAUSE_MS);
  }
}

/** Returns the kinds of all messages, with one look-up in an index for each kind. */
async function kindsOf(reader: Reader): Promise<string[]> {
  const kinds: string[] = [];
  for (let last = ''; ; ) {
    const { kind } = await reader
      .selectFrom('outbox')
      .select((of) => of.fn.min<string | null>('kind').as('kind'))
      .where('kind', '>', last)
      .executeTakeFirstOrThrow();
    if (kind === null) return kinds;
    kinds.push(kind);
    last = kind;
  }
}

/** The parts of a message with one status. */
interface PartGroup {
  messageId: string;
  status: OutboxStatus;
  parts: number;
  attempts: number;
  nextAttemptAt: number;
  dateFinished: number | null;
  /** Number of the first part with an error. */
  failedPart: number | null;
}

/** Groups parts in the database: a message with the longest text that a client may send has hundreds. */
async function readGroups(database: Database, messageIds: readonly string[]): Promise<PartGroup[]> {
  const reader = await readerFor(database, CALLER, (read) =>
    read.selectFrom('outbox').select('message_id').where('message_id', 'in', messageIds),
  );
  return await reader
    .selectFrom('outbox')
    .select((of) => [
      'message_id as messageId',
      'status',
      of.fn.countAll<number>().as('parts'),
      of.fn.max<number>('attempts').as('attempts'),
      of.fn.min<number>('next_attempt_at').as('nextAttemptAt'),
      of.fn.max<number | null>('date_finished').as('dateFinished'),
      of.fn
        .min<number | null>(of.case().when('error', 'is not', null).then(of.ref('part')).end())
        .as('failedPart'),
    ])
    .where('message_id', 'in', messageIds)
    .groupBy(['message_id', 'status'])
    .execute();
}

interface PartError {
  error: string | null;
  error_code: string | null;
}

/** Returns the error of the first part that has one, by message id. */
async function readErrors(
  { read }: Database,
  messages: readonly (readonly PartGroup[])[],
): Promise<Map<string, PartError>> {
  const withErrors = messages.flatMap((groups) => {
    const [{ messageId } = { messageId: '' }] = groups;
    const part = Math.min(...groups.map(({ failedPart }) => failedPart ?? Infinity));
    return part === Infinity ? [] : [{ messageId, part }];
  });
  if (withErrors.length === 0) return new Map();
  const rows = await read
    .selectFrom('outbox')
    .select(['message_id', 'error', 'error_code'])
    .where((where) =>
      where.or(
        withErrors.map(({ messageId, part }) =>
          where.and([where('message_id', '=', messageId), where('part', '=', part)]),
        ),
      ),
    )
    .execute();
  return new Map(rows.map((row) => [row.message_id, row]));
}

function summarize(
  id: string,
  groups: readonly PartGroup[],
  first: FirstPart | undefined,
  failed: PartError | undefined,
): MessageSummary {
  const queued = groups.filter(({ status }) => !isFinal(status));
  const isFinished = queued.length === 0;
  return {
    id,
    kind: first?.kind ?? '',
    clientId: first?.client_id ?? null,
    status: messageStatus(groups),
    attempts: Math.max(0, ...groups.map(({ attempts }) => attempts)),
    parts: groups.reduce((sum, { parts }) => sum + parts, 0),
    payload: first?.payload ?? null,
    error: failed?.error ?? null,
    errorCode: failed?.error_code ?? null,
    sandbox: first?.sandbox === 1,
    nextAttemptAt: isFinished ? null : Math.min(...queued.map((group) => group.nextAttemptAt)),
    dateCreated: first?.date_created ?? 0,
    dateFinished: isFinished ? Math.max(...groups.map((group) => group.dateFinished ?? 0)) : null,
  };
}
