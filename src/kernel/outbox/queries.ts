import { sql } from 'kysely';
import type { Database, Reader } from '../database/database.ts';
import type { OutboxMessage, PartState } from './message.ts';
import { fromRow, STATE_COLUMNS, stateFromRow } from './rows.ts';

/** Reads from the outbox. */
export interface Queries {
  /** Returns the parts of a message in order; empty = unknown. */
  parts(messageId: string): Promise<OutboxMessage[]>;
  /**
   * Returns the parts of several messages by message id, without their payloads, which may be large.
   * @param reader by default one outside a transaction
   */
  statesOf(messageIds: readonly string[], reader?: Reader): Promise<Map<string, PartState[]>>;
}

export function createQueries(database: Pick<Database, 'read'>): Queries {
  return {
    parts: async (messageId) => (await selectParts(database.read, messageId).execute()).map(fromRow),

    async statesOf(messageIds, reader = database.read) {
      const rows = await select(reader, messageIds).select(STATE_COLUMNS).execute();
      return Map.groupBy(rows.map(stateFromRow), ({ messageId }) => messageId);
    },
  };
}

/** Returns the parts of a message in order, each with the time until its next attempt in ms (negative = overdue). */
export async function partsWithDelay(
  { read, now }: Pick<Database, 'read' | 'now'>,
  messageId: string,
): Promise<{ part: OutboxMessage; dueInMs: number }[]> {
  const rows = await selectParts(read, messageId)
    .select(sql<number>`next_attempt_at - ${now}`.as('due_in'))
    .execute();
  return rows.map(({ due_in, ...row }) => ({ part: fromRow(row), dueInMs: due_in }));
}

function selectParts(reader: Reader, messageId: string) {
  return select(reader, [messageId]).selectAll();
}

function select(reader: Reader, messageIds: readonly string[]) {
  return reader.selectFrom('outbox').where('message_id', 'in', messageIds).orderBy('part');
}
