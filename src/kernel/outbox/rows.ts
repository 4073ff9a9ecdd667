import { type Selectable, sql } from 'kysely';
import type { OutboxTable } from '../tables.ts';
import type { OutboxMessage } from './message.ts';

/** The columns that a new row has values for. */
export const NEW_ROW = {
  id: 'text',
  message_id: 'text',
  part: 'bigint',
  kind: 'text',
  client_id: 'text',
  lane: 'text',
  blocked: 'bigint',
  status: 'text',
  payload: 'text',
  secret: 'text',
  attempts: 'bigint',
  next_attempt_at: 'bigint',
  deadline_at: 'bigint',
  sandbox: 'bigint',
  date_created: 'bigint',
} as const;

// In the text of a query, not as parameters: only so does SQLite see that the partial index serves it.
export const QUEUED = sql.lit('queued' as const);
export const FREE = sql.lit(0);

export function json(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

export function fromRow(row: Selectable<OutboxTable>): OutboxMessage {
  return {
    id: row.id,
    messageId: row.message_id,
    part: row.part,
    kind: row.kind,
    clientId: row.client_id,
    lane: row.lane,
    status: row.status,
    payload: JSON.parse(row.payload) as unknown,
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
