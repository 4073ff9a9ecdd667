import { type Selectable, sql } from 'kysely';
import { DAY, HOUR } from '../clock.ts';
import type { OutboxTable } from '../tables.ts';
import type { OutboxMessage, PartState } from './message.ts';

/** Time after its due time at which a row that was not delivered fails. */
export const DEADLINE_MS = DAY;
/** Maximum number of days for which finished rows are kept after their acceptance. Until then, they can be resent. */
export const KEPT_DAYS = 30;
/** Time after its deadline until which a row is still attempted: the last attempt is due at the deadline. */
export const OVERDUE_MS = HOUR;
export const LEASE_COLUMNS = { table: 'outbox', until: 'lease_until', owner: 'lease_owner' };

export const SECRET_PURPOSE = 'outbox secret';

// Literals rather than parameters: SQLite uses a partial index only where the query text implies its condition.
export const QUEUED = sql.lit('queued' as const);
export const UNBLOCKED = sql.lit(0);

export function toJson(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

/** The columns of a `PartState`. */
export const STATE_COLUMNS = [
  'id',
  'message_id',
  'part',
  'kind',
  'client_id',
  'lane',
  'status',
  'attempts',
  'next_attempt_at',
  'deadline_at',
  'error_code',
  'error',
  'result',
  'sandbox',
  'date_created',
  'date_finished',
] as const;

type StateRow = Pick<Selectable<OutboxTable>, (typeof STATE_COLUMNS)[number]>;

export function fromRow(row: StateRow & { payload: string }): OutboxMessage {
  return { ...stateFromRow(row), payload: JSON.parse(row.payload) as unknown };
}

export function stateFromRow(row: StateRow): PartState {
  return {
    id: row.id,
    messageId: row.message_id,
    part: row.part,
    kind: row.kind,
    clientId: row.client_id,
    lane: row.lane,
    status: row.status,
    attempts: row.attempts,
    nextAttemptAt: row.next_attempt_at,
    deadlineAt: row.deadline_at,
    errorCode: row.error_code,
    error: row.error,
    result: row.result === null ? null : (JSON.parse(row.result) as unknown),
    sandbox: row.sandbox === 1,
    dateCreated: row.date_created,
    dateFinished: row.date_finished,
  };
}
