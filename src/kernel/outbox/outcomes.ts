import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Database, Transaction } from '../database/database.ts';
import { createJsonTable } from '../database/json-table.ts';
import { readNow } from '../database/now.ts';
import { isOneOf } from '../database/unlocked.ts';
import type { OutboxTable } from '../tables.ts';
import { withoutSecrets } from '../without-secrets.ts';
import { backoffMs } from './backoff.ts';
import { STEPS_ASIDE_AFTER } from './lane-queries.ts';
import { type Lanes, lanesOf } from './lanes.ts';
import { type Claimed, type Delivery, HELD, type OutboxMessage } from './message.ts';
import { isFinal } from './message-status.ts';
import { QUEUED, toJson } from './rows.ts';

export interface Attempt {
  message: Claimed;
  delivery: Delivery;
}

interface OutcomesDeps {
  database: Pick<Database, 'kind' | 'now' | 'prepare'>;
  lanes: Lanes;
  /** Holder of the leases. */
  node: string;
}

/**
 * Records the outcomes of attempts and ends their leases. Returns the updated rows in the same order; null = this
 * node had lost the lease, so nothing was recorded.
 */
export type RecordOutcomes = (
  trx: Transaction,
  attempts: readonly Attempt[],
) => Promise<(OutboxMessage | null)[]>;

type Failure = Exclude<Delivery, { outcome: 'sent' }>;
/** Columns that an outcome changes. */
type Changed = Pick<
  Selectable<OutboxTable>,
  'status' | 'attempts' | 'next_attempt_at' | 'error_code' | 'error' | 'date_finished'
>;

export function createRecordOutcomes({ database, lanes, node }: OutcomesDeps): RecordOutcomes {
  const recordSent = createRecordSent({ database, node });

  async function recordFailure(
    trx: Transaction,
    message: Claimed,
    failure: Failure,
    now: number,
  ): Promise<Changed | undefined> {
    return await trx
      .updateTable('outbox')
      .set({ ...changesAfter(message, failure, now), lease_owner: null, lease_until: null })
      .where('id', '=', message.id)
      .where('lease_owner', '=', node)
      .where('status', '=', QUEUED)
      .returning(['status', 'attempts', 'next_attempt_at', 'error_code', 'error', 'date_finished'])
      .executeTakeFirst();
  }

  return async (trx, attempts) => {
    if (attempts.length === 0) return [];
    await lanes.lock(trx, lanesOf(attempts.map(({ message }) => message)));
    const changed = await recordSent(trx, attempts);
    const failures = attempts.some(({ delivery }) => delivery.outcome !== 'sent');
    const now = failures ? await readNow(database, trx) : 0;
    for (const { message, delivery } of attempts) {
      if (delivery.outcome === 'sent') continue;
      const row = await recordFailure(trx, message, delivery, now);
      if (row) changed.set(message.id, row);
    }
    const passed = attempts.filter(({ message, delivery }) => {
      const row = changed.get(message.id);
      return row !== undefined && unblocksNext(delivery, row);
    });
    await lanes.unblockNext(trx, lanesOf(passed.map(({ message }) => message)));
    return attempts.map(({ message, delivery }) => {
      const row = changed.get(message.id);
      return row ? updated(message, delivery, row) : null;
    });
  };
}

type SentRow = Pick<Changed, 'attempts' | 'next_attempt_at' | 'date_finished'> & { id: string };

/** Returns a function that records all successful attempts in one statement. */
function createRecordSent({ database, node }: Omit<OutcomesDeps, 'lanes'>) {
  const table = createJsonTable(database.kind, 'sent', { id: 'text', answer: 'text' });
  // SQLite finds the rows of a join by their index.
  const byIndex = (sent: string) =>
    database.kind === 'postgres'
      ? sql`and outbox.id ${isOneOf(database.kind, sql`select id from ${table.over(sent)}`)}`
      : sql``;
  const update = database.prepare(
    (_: Transaction, { sent }: { sent: string }) => sql<SentRow>`
      update outbox set
        status = 'sent', attempts = attempts + 1, secret = null, error_code = null, error = null,
        result = answer, date_finished = ${database.now}, lease_owner = null, lease_until = null
      from ${table.over(sent)}
      where outbox.id = sent.id and lease_owner = ${node} and status = 'queued'
        ${byIndex(sent)}
      returning outbox.id, attempts, next_attempt_at, date_finished`,
  );
  return async (trx: Transaction, attempts: readonly Attempt[]): Promise<Map<string, Changed>> => {
    const sent = attempts.flatMap(({ message, delivery }) =>
      delivery.outcome === 'sent' ? [{ id: message.id, answer: toJson(delivery.result) }] : [],
    );
    if (sent.length === 0) return new Map();
    const rows = await update(trx, { sent: table.encode(sent) });
    return new Map(
      rows.map(({ id, ...row }) => [id, { ...row, status: 'sent', error_code: null, error: null }] as const),
    );
  };
}

function unblocksNext(delivery: Delivery, row: Changed): boolean {
  return isFinal(row.status) || (delivery.outcome === 'later' && row.attempts >= STEPS_ASIDE_AFTER);
}

function updated({ secret: _, ...message }: Claimed, delivery: Delivery, row: Changed): OutboxMessage {
  return {
    ...message,
    status: row.status,
    attempts: row.attempts,
    nextAttemptAt: row.next_attempt_at,
    errorCode: row.error_code,
    error: row.error,
    result: 'result' in delivery && delivery.result !== undefined ? delivery.result : message.result,
    dateFinished: row.date_finished,
  };
}

type Changes = Omit<Partial<Selectable<OutboxTable>>, 'next_attempt_at'> & {
  next_attempt_at?: number | RawBuilder<number>;
};

function changesAfter(message: Claimed, failure: Failure, now: number): Changes {
  const attempts = message.attempts + 1;
  const error = withoutSecrets(failure.reason);
  const finished = { attempts, secret: null, date_finished: now, error };
  const isOverdue = now >= message.deadlineAt;
  switch (failure.outcome) {
    case 'refused':
      return { ...finished, status: 'failed', error_code: failure.code, ...resultOf(failure) };
    case 'unknown':
      return { ...finished, status: 'unknown', error_code: 'no_answer' };
    case 'held': {
      if (isOverdue) return { ...finished, status: 'failed', error_code: 'deadline' };
      const next = Math.min(now + failure.retryAfterMs, message.deadlineAt);
      return {
        // If the row was expedited during this attempt, keep the earlier time.
        next_attempt_at: sql<number>`
          case when next_attempt_at = ${message.nextAttemptAt} then ${next} else next_attempt_at end`,
        error_code: HELD,
        error,
      };
    }
    case 'later': {
      const progress = {
        error_code: failure.code,
        ...resultOf(failure),
        ...(failure.payload === undefined ? {} : { payload: JSON.stringify(failure.payload) }),
      };
      if (isOverdue) return { ...finished, ...progress, status: 'failed' };
      const delay = backoffMs(attempts, failure.retryAfterMs ?? null);
      return { ...progress, error, attempts, next_attempt_at: Math.min(now + delay, message.deadlineAt) };
    }
  }
}

function resultOf({ result }: { result?: unknown }): { result?: string | null } {
  return result === undefined ? {} : { result: toJson(result) };
}
