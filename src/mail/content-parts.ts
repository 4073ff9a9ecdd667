import { sql } from 'kysely';
import { bufferOf, MB, piecesOf } from '../kernel/bytes.ts';
import type { Database, Transaction } from '../kernel/database/database.ts';
import type { GiveWay } from '../kernel/event-loop/time-slices.ts';

/** The parts of large e-mails. SQLite writes or reads a part in one or two milliseconds, which block the event loop. */
export interface ContentParts {
  /** Stores the bytes of an empty row of `mail_contents` as parts, with one transaction for each part. */
  add(contentId: string, bytes: Uint8Array): Promise<void>;
  /**
   * Moves the parts into the row on PostgreSQL, within the database server. During a rolling update, nodes of the
   * previous version also deliver e-mails, and they read only the row.
   */
  join(trx: Transaction, contentId: string): Promise<void>;
  /** Returns null when there are none. */
  find(contentId: string): Promise<StoredParts | null>;
  /** Reads a large row of `mail_contents` in pieces. @throws Error when it is deleted meanwhile */
  readJoined(contentId: string, size: number): AsyncIterable<Buffer>;
}

export interface StoredParts {
  /** Bytes. */
  size: number;
  /** The parts in order. @throws Error when they are deleted meanwhile */
  mime: AsyncIterable<Buffer>;
}

/** The maximum size of a part. */
export const PART_BYTES = MB / 2;
/** Maximum number of concurrent transactions, which can share a sync. */
const AT_ONCE = 4;

interface ContentPartsDeps {
  database: Database;
  /** Called after each piece. */
  giveWay: GiveWay;
}

export function createContentParts({ database, giveWay }: ContentPartsDeps): ContentParts {
  const insert = (contentId: string, part: number, bytes: Uint8Array) =>
    database.transaction((trx) =>
      trx.insertInto('mail_content_parts').values({ content_id: contentId, part, bytes }).execute(),
    );

  const readPart = (contentId: string, part: number) =>
    database.read
      .selectFrom('mail_content_parts')
      .select('bytes')
      .where('content_id', '=', contentId)
      .where('part', '=', part)
      .executeTakeFirst();

  const readPiece = (id: string, piece: number) =>
    database.read
      .selectFrom('mail_contents')
      .select(sql<Uint8Array>`substr(mime, ${piece * PART_BYTES + 1}, ${PART_BYTES})`.as('bytes'))
      .where('id', '=', id)
      .executeTakeFirst();

  async function* read(contentId: string, size: number, one: typeof readPart): AsyncGenerator<Buffer> {
    let left = size;
    for (let number = 0; left > 0; number++) {
      const row = await one(contentId, number);
      if (!row) throw new Error(`the e-mail ${contentId} was deleted while it was read`);
      left -= row.bytes.length;
      yield bufferOf(row.bytes);
      await giveWay();
    }
  }

  return {
    async add(contentId, bytes) {
      const parts = [...piecesOf(bytes, PART_BYTES)];
      for (let first = 0; first < parts.length; first += AT_ONCE) {
        const group = parts.slice(first, first + AT_ONCE);
        await Promise.all(group.map((part, index) => insert(contentId, first + index, part)));
        await giveWay();
      }
    },
    async join(trx, contentId) {
      if (database.kind === 'sqlite') return;
      await sql`
        update mail_contents set mime = (
          select string_agg(bytes, ''::bytea order by part) from mail_content_parts where content_id = ${contentId})
        where id = ${contentId}`.execute(trx);
      await trx.deleteFrom('mail_content_parts').where('content_id', '=', contentId).execute();
    },
    async find(contentId) {
      const sum = await database.read
        .selectFrom('mail_content_parts')
        .select(sql<number | null>`sum(octet_length(bytes))`.as('size'))
        .where('content_id', '=', contentId)
        .executeTakeFirst();
      const size = sum?.size ?? 0;
      return size === 0 ? null : { size, mime: read(contentId, size, readPart) };
    },
    readJoined: (contentId, size) => read(contentId, size, readPiece),
  };
}
