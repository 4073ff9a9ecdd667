import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { DatabaseKind, Transaction } from '../database/database.ts';
import { listed } from '../database/listed.ts';
import { withoutSecrets } from '../log.ts';
import type { OutboxTable } from '../tables.ts';
import { backoffMs } from './backoff.ts';
import { type Lanes, STEPS_ASIDE_AFTER } from './lanes.ts';
import type { Claimed, Delivery, OutboxMessage } from './message.ts';
import { json, QUEUED } from './rows.ts';

/** The error code of a row that was not tried: nothing went wrong with it. */
export const HELD = 'held';

/** An attempt that ended. */
export interface Attempt {
  message: Claimed;
  delivery: Delivery;
}

/** Notes how attempts ended; gives the rows as they then stand, in the same order; null = the lease went to another. */
export type Settle = (trx: Transaction, ended: readonly Attempt[], now: number) => Promise<(OutboxMessage | null)[]>;

/** @param node whose leases these are */
export function createSettle(kind: DatabaseKind, lanes: Lanes, node: string): Settle {
  /** The usual end, of all that have it in one statement. */
  async function settleSent(trx: Transaction, ended: readonly Attempt[], now: number): Promise<(message: Claimed) => Settled | null> {
    if (ended.length === 0) return () => null;
    const rows = ended.map(({ message, delivery }) => ({
      id: message.id,
      answer: json(delivery.outcome === 'sent' ? delivery.result : undefined),
    }));
    const noted = await sql<{ id: string; attempts: number; next_attempt_at: number }>`
      update outbox set
        status = 'sent', attempts = attempts + 1, secret = null, error_code = null, error = null,
        result = answer, date_finished = ${now}, lease_owner = null, lease_until = null
      from ${listed(kind, 'peer', { id: 'text', answer: 'text' }, rows)}
      where outbox.id = peer.id and lease_owner = ${node} and status = 'queued'
      returning outbox.id, attempts, next_attempt_at`.execute(trx);
    const byId = new Map(noted.rows.map((row) => [row.id, row]));
    return ({ id }) => {
      const row = byId.get(id);
      return row ? { ...row, status: 'sent', error_code: null, error: null, date_finished: now } : null;
    };
  }

  async function settleOther(
    trx: Transaction,
    message: Claimed,
    delivery: Exclude<Delivery, { outcome: 'sent' }>,
    now: number,
  ): Promise<Settled | null> {
    const row = await trx
      .updateTable('outbox')
      .set({ ...changeAfter(message, delivery, now), lease_owner: null, lease_until: null })
      .where('id', '=', message.id)
      .where('lease_owner', '=', node)
      .where('status', '=', QUEUED)
      .returning(['status', 'attempts', 'next_attempt_at', 'error_code', 'error', 'date_finished'])
      .executeTakeFirst();
    return row ?? null;
  }

  return async (trx, ended, now) => {
    await lanes.lock(
      trx,
      ended.flatMap(({ message }) => message.lane ?? []),
    );
    const sent = await settleSent(
      trx,
      ended.filter(({ delivery }) => delivery.outcome === 'sent'),
      now,
    );
    const passing: string[] = [];
    const settled: (OutboxMessage | null)[] = [];
    for (const { message, delivery } of ended) {
      const row = delivery.outcome === 'sent' ? sent(message) : await settleOther(trx, message, delivery, now);
      settled.push(row ? afterSettling(message, delivery, row) : null);
      const passes = row && (row.status !== 'queued' || (delivery.outcome === 'later' && row.attempts >= STEPS_ASIDE_AFTER));
      if (message.lane !== null && passes) passing.push(message.lane);
    }
    await lanes.unblockNext(trx, passing);
    return settled;
  };
}

type Settled = Pick<Selectable<OutboxTable>, 'status' | 'attempts' | 'next_attempt_at' | 'error_code' | 'error' | 'date_finished'>;

function afterSettling({ secret: _, ...message }: Claimed, delivery: Delivery, row: Settled): OutboxMessage {
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

type Change = Omit<Partial<Selectable<OutboxTable>>, 'next_attempt_at'> & { next_attempt_at?: number | RawBuilder<number> };

function changeAfter(message: Claimed, delivery: Exclude<Delivery, { outcome: 'sent' }>, now: number): Change {
  const attempts = message.attempts + 1;
  const end = { attempts, secret: null, date_finished: now };
  switch (delivery.outcome) {
    case 'refused':
      return { ...end, status: 'failed', error_code: delivery.code, error: wordsOf(delivery), ...resultOf(delivery) };
    case 'unknown':
      return { ...end, status: 'unknown', error_code: 'no_answer', error: wordsOf(delivery) };
    case 'held':
      if (now >= message.deadlineAt) return { ...end, status: 'failed', error_code: 'deadline', error: wordsOf(delivery) };
      return {
        // Who hastened it while it was under way knew better than what this attempt saw.
        next_attempt_at: sql<number>`case when next_attempt_at = ${message.nextAttemptAt} then ${Math.min(delivery.untilMs, message.deadlineAt)} else next_attempt_at end`,
        error_code: HELD,
        error: wordsOf(delivery),
      };
    case 'later': {
      const error = { error_code: delivery.code, error: wordsOf(delivery) };
      if (now >= message.deadlineAt) return { ...end, ...error, status: 'failed' };
      const next = Math.min(now + backoffMs(attempts, delivery.retryAfterMs ?? null), message.deadlineAt);
      return {
        ...error,
        ...resultOf(delivery),
        attempts,
        next_attempt_at: next,
        ...(delivery.payload === undefined ? {} : { payload: JSON.stringify(delivery.payload) }),
      };
    }
  }
}

function resultOf({ result }: { result?: unknown }): { result?: string | null } {
  return result === undefined ? {} : { result: json(result) };
}

/** A peer's words as they may be kept; PostgreSQL takes no NUL. */
function wordsOf({ reason }: { reason: string }): string {
  return withoutSecrets(reason).replaceAll('\u0000', '');
}
