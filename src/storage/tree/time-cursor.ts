import { type RawBuilder, sql } from 'kysely';
import { invalidField } from '../../kernel/problem.ts';

/** A position in a list that is ordered by a time and an id, most recent first. */
export interface TimeCursor {
  /** Ms since the epoch. */
  time: number;
  id: string;
}

/** Returns the text of a cursor, for the `Link` to the next page. */
export function formatCursor({ time, id }: TimeCursor): string {
  return `${time}.${id}`;
}

/** @param cursor undefined = the first page @throws Problem 400 unless `formatCursor` returned it */
export function parseCursor(cursor: string | undefined): TimeCursor | null {
  if (cursor === undefined) return null;
  const [, time, id] = /^(\d{1,15})\.([\w-]{1,64})$/.exec(cursor) ?? [];
  if (time === undefined || id === undefined)
    throw invalidField('cursor', 'must come from the Link of the previous page');
  return { time: Number(time), id };
}

/** The condition of rows behind a cursor, by the column of their time. */
export function isBehind(column: string, { time, id }: TimeCursor): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(column)}, id) < (${time}, ${id})`;
}
