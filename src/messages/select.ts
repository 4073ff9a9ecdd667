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

/** Number of rows that are examined first, which suffice where many rows match. */
const FIRST_SPAN = 1_000;
/** Maximum number of rows that are examined for a page, which bounds the cost of a filter. */
const SPAN = 50_000;

/** Returns the ids of a page of messages. @param span maximum number of rows to examine; tests lower it */
export async function selectIds(database: Database, filter: MessageFilter, span = SPAN): Promise<PageOfIds> {
  const { kind, read } = database;
  const { rows, isComplete } = indexedRows(read, filter);
  if (isComplete) return pageOf(await firstIds(filtered(rows, kind, filter), filter), filter, undefined);
  // Payloads can be long: they are not searched in this process.
  if (!hasText(filter)) {
    const page = await pageWithin(rows, kind, filter, Math.min(FIRST_SPAN, span));
    if (page.ids.length === filter.limit || page.older === null) return page;
  }
  const reader = await readerFor(database, 'messages', (each) => indexedRows(each, filter).rows);
  return await pageWithin(indexedRows(reader, filter).rows, kind, filter, span);
}

type Rows = ReturnType<typeof newest>;

/** Returns the page of the matching rows among the first `span` ones. */
async function pageWithin(
  rows: Rows,
  kind: Database['kind'],
  filter: MessageFilter,
  span: number,
): Promise<PageOfIds> {
  const end = await rows
    .offset(span - 1)
    .limit(1)
    .executeTakeFirst();
  const query = filtered(rows, kind, filter);
  const ids = await firstIds(end ? query.where('message_id', '>=', end.message_id) : query, filter);
  return pageOf(ids, filter, end?.message_id);
}

/** Returns one id more than a page has. */
async function firstIds(rows: Rows, { limit }: MessageFilter): Promise<string[]> {
  const found = await rows
    .distinct()
    .limit(limit + 1)
    .execute();
  return found.map((row) => row.message_id);
}

/** @param end the last id that was examined; undefined = there are no older rows */
function pageOf(ids: readonly string[], { limit }: MessageFilter, end: string | undefined): PageOfIds {
  const older = ids.length > limit ? ids[limit - 1] : end;
  return { ids: ids.slice(0, limit), older: older ?? null };
}

function newest(reader: Reader, { before, since, until }: MessageFilter) {
  let rows = reader.selectFrom('outbox').select('message_id').orderBy('message_id', 'desc');
  if (before !== undefined) rows = rows.where('message_id', '<', before);
  if (since !== undefined) rows = rows.where('message_id', '>=', firstIdAt(since));
  return until === undefined ? rows : rows.where('message_id', '<', firstIdAt(until));
}

/** Selects rows by the one filter for which there is an index. `isComplete` = there are no other filters. */
function indexedRows(reader: Reader, filter: MessageFilter): { rows: Rows; isComplete: boolean } {
  const { kind, status, clientId, sandbox } = filter;
  const rows = newest(reader, filter);
  const filters =
    [kind, status, clientId, hasText(filter)].filter(Boolean).length + (sandbox === undefined ? 0 : 1);
  const isComplete = filters === 1;
  // SQLite uses partial indexes only with literals.
  if (status && status !== 'sent')
    return {
      rows: rows.where('status', '=', sql.lit(status)).where('status', '!=', sql.lit('sent' as const)),
      isComplete,
    };
  if (clientId) return { rows: rows.where('client_id', '=', clientId), isComplete };
  if (sandbox) return { rows: rows.where('sandbox', '=', sql.lit(1)), isComplete };
  if (kind) return { rows: rows.where('kind', '=', kind), isComplete };
  return { rows, isComplete: filters === 0 };
}

function hasText({ search, recipient }: MessageFilter): boolean {
  return Boolean(search || recipient);
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
