import { sql } from 'kysely';
import { bufferOf, MB, piecesOf } from '../kernel/bytes.ts';
import type { Database } from '../kernel/database/database.ts';
import { nextRound } from '../kernel/event-loop/next-round.ts';

/** The parts of large e-mails: SQLite writes and reads a part in a millisecond or two, during which nothing else runs. */
export interface ContentParts {
  /** Adds parts to the row of `mail_contents`, each in a transaction of its own. */
  add(contentId: string, bytes: Uint8Array): Promise<void>;
  /** Returns null when there are none. */
  find(contentId: string): Promise<StoredParts | null>;
}

export interface StoredParts {
  /** Bytes. */
  size: number;
  /** Reads the parts in order. @throws Error when they are deleted meanwhile */
  read(): AsyncIterable<Buffer>;
}

/** The maximum size of a part. */
export const PART_BYTES = MB / 2;
/** Transactions at a time, which can share a sync. */
const AT_ONCE = 4;

export function createContentParts(database: Database): ContentParts {
  async function insert(contentId: string, part: number, bytes: Uint8Array): Promise<void> {
    await database.transaction((trx) =>
      trx.insertInto('mail_content_parts').values({ content_id: contentId, part, bytes }).execute(),
    );
  }

  async function* read(contentId: string, size: number): AsyncGenerator<Buffer> {
    let left = size;
    for (let part = 0; left > 0; part++) {
      const row = await database.read
        .selectFrom('mail_content_parts')
        .select('bytes')
        .where('content_id', '=', contentId)
        .where('part', '=', part)
        .executeTakeFirst();
      if (!row) throw new Error(`part ${part} of the e-mail ${contentId} was deleted`);
      left -= row.bytes.length;
      yield bufferOf(row.bytes);
      await nextRound();
    }
  }

  return {
    async add(contentId, bytes) {
      const parts = [...piecesOf(bytes, PART_BYTES)];
      for (let first = 0; first < parts.length; first += AT_ONCE) {
        const group = parts.slice(first, first + AT_ONCE);
        await Promise.all(group.map((part, index) => insert(contentId, first + index, part)));
      }
    },
    async find(contentId) {
      const [sum] = await database.read
        .selectFrom('mail_content_parts')
        .select(sql<number | null>`sum(octet_length(bytes))`.as('size'))
        .where('content_id', '=', contentId)
        .execute();
      const size = sum?.size ?? 0;
      return size === 0 ? null : { size, read: () => read(contentId, size) };
    },
  };
}
