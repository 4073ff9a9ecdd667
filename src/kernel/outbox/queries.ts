import { sql } from 'kysely';
import type { Database, Reader } from '../database/database.ts';
import type { Attempted, OutboxMessage, PartState } from './message.ts';
import { fromRow, STATE_COLUMNS, stateFromRow } from './rows.ts';

export interface Queries {
  /** Returns the parts of a message in order, with their payloads, which may be large; empty = unknown. */
  parts(messageId: string): Promise<OutboxMessage[]>;
  /** Returns a part of a message with its payload; null = unknown. @param part from 0 */
  part(messageId: string, part: number): Promise<OutboxMessage | null>;
  /**
   * Returns the parts of several messages by message id, without their payloads.
   * @param reader by default one outside a transaction
   */
  statesOf(messageIds: readonly string[], reader?: Reader): Promise<Map<string, PartState[]>>;
}

export function createQueries(database: Pick<Database, 'read'>): Queries {
  return {
    async parts(messageId) {
      const rows = await select(database.read, [messageId]).selectAll().execute();
      return rows.map(fromRow);
    },
    async part(messageId, part) {
      const query = select(database.read, [messageId]).selectAll().where('part', '=', part);
      const row = await query.executeTakeFirst();
      return row ? fromRow(row) : null;
    },
    async statesOf(messageIds, reader = database.read) {
      const rows = await select(reader, messageIds).select(STATE_COLUMNS).execute();
      return Map.groupBy(rows.map(stateFromRow), ({ messageId }) => messageId);
    },
  };
}

/**
 * Returns the parts of a message, null = unknown, and the time until the next attempt of each in ms (negative =
 * overdue).
 */
export async function readAttempts(
  { read, now }: Pick<Database, 'read' | 'now'>,
  messageId: string,
): Promise<{ attempted: Attempted; dueInMs: number[] } | null> {
  const rows = await select(read, [messageId])
    .select(STATE_COLUMNS)
    .select(sql<string>`case when part = 0 then payload end`.as('payload'))
    .select(sql<number>`next_attempt_at - ${now}`.as('due_in'))
    .execute();
  const [first] = rows;
  if (!first) return null;
  return {
    attempted: { first: fromRow(first), parts: rows.map(stateFromRow) },
    dueInMs: rows.map(({ due_in }) => due_in),
  };
}

function select(reader: Reader, messageIds: readonly string[]) {
  return reader.selectFrom('outbox').where('message_id', 'in', messageIds).orderBy('part');
}
