import { sql } from 'kysely';
import type { Database, Reader } from '../kernel/database/database.ts';
import { readerFor } from '../kernel/database/reader-for.ts';
import { firstIdAt } from '../kernel/ids.ts';
import type { OutboxStatus } from '../kernel/tables.ts';
import { contains } from './contains.ts';

export interface MessageFilter {
  kind?: string;
  /** A message matches when one of its parts does. */
  status?: OutboxStatus;
  clientId?: string;
  sandbox?: boolean;
  /** Text in the payload or in the error, ignoring case. */
  search?: string;
  /** Address, chat or channel id of a recipient, ignoring case. */
  recipient?: string;
  /** Times of acceptance, ms since the epoch: `since` <= time < `until`. */
  since?: number;
  until?: number;
  /** `older` of the previous page. */
  before?: string;
  limit: number;
}

export interface PageOfIds {
  /** Newest first. With `older`, there may be fewer than `limit`, or none, although older messages match. */
  ids: string[];
  /** `before` of the next page; null = there are no older messages. */
  older: string | null;
}

/** Maximum number of rows that are examined for a page, which bounds the cost of a filter. */
const SPAN = 50_000;

/** Returns the ids of a page of messages. @param span maximum number of rows to examine; tests lower it */
export async function selectIds(database: Database, filter: MessageFilter, span = SPAN): Promise<PageOfIds> {
  const { limit } = filter;
  const { rows, isComplete } = await chooseRows(database, filter);
  const end = isComplete
    ? undefined
    : await rows
        .offset(span - 1)
        .limit(1)
        .executeTakeFirst();
  let query = filtered(rows, database.kind, filter)
    .distinct()
    .limit(limit + 1);
  if (end) query = query.where('message_id', '>=', end.message_id);
  const ids = (await query.execute()).map((row) => row.message_id);
  const older = ids.length > limit ? ids[limit - 1] : end?.message_id;
  return { ids: ids.slice(0, limit), older: older ?? null };
}

type Rows = ReturnType<typeof newest>;

/**
 * Returns the rows to filter. They are read in this process if an index serves the whole filter, or if they are few.
 */
async function chooseRows(database: Database, filter: MessageFilter) {
  const here = indexedRows(database.read, filter);
  if (here.isComplete) return here;
  const reader = await readerFor(database, 'messages', (read) => indexedRows(read, filter).rows);
  return indexedRows(reader, filter);
}

function newest(reader: Reader, { before, since, until }: MessageFilter) {
  let rows = reader.selectFrom('outbox').select('message_id').orderBy('message_id', 'desc');
  if (before !== undefined) rows = rows.where('message_id', '<', before);
  if (since !== undefined) rows = rows.where('message_id', '>=', firstIdAt(since));
  return until === undefined ? rows : rows.where('message_id', '<', firstIdAt(until));
}

/** Selects rows by the one filter for which there is an index. `isComplete` = there are no other filters. */
function indexedRows(reader: Reader, filter: MessageFilter): { rows: Rows; isComplete: boolean } {
  const { kind, status, clientId, sandbox, search, recipient } = filter;
  const rows = newest(reader, filter);
  const filters =
    [kind, status, clientId, search, recipient].filter(Boolean).length + (sandbox === undefined ? 0 : 1);
  const isComplete = filters === 1;
  // SQLite uses the partial index of messages that were not sent only with literals.
  if (status && status !== 'sent')
    return {
      rows: rows.where('status', '=', sql.lit(status)).where('status', '!=', sql.lit('sent' as const)),
      isComplete,
    };
  if (clientId) return { rows: rows.where('client_id', '=', clientId), isComplete };
  if (kind) return { rows: rows.where('kind', '=', kind), isComplete };
  return { rows, isComplete: filters === 0 };
}

function filtered(rows: Rows, database: Database['kind'], filter: MessageFilter): Rows {
  const { kind, status, clientId, sandbox, search, recipient } = filter;
  let query = rows;
  if (kind) query = query.where('kind', '=', kind);
  if (status) query = query.where('status', '=', status);
  if (clientId) query = query.where('client_id', '=', clientId);
  if (sandbox !== undefined) query = query.where('sandbox', '=', sandbox ? 1 : 0);
  if (search) {
    // The payload is JSON.
    const inPayload = contains(database, 'payload', JSON.stringify(search).slice(1, -1));
    query = query.where(sql<boolean>`(${inPayload} or ${contains(database, 'error', search)})`);
  }
  // In the JSON of the payload, a recipient is a whole string.
  if (recipient) query = query.where(contains(database, 'payload', JSON.stringify(recipient)));
  return query;
}
