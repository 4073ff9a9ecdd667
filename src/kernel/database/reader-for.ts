import type { Database, Reader } from './database.ts';

/** Maximum number of rows that a query reads in this process, which takes a few milliseconds. */
export const FEW_ROWS = 5_000;

/** A query without an order, whose rows are found one after the other. */
interface Rows {
  offset(count: number): { limit(count: number): { executeTakeFirst(): Promise<unknown> } };
}

/**
 * Returns the reader for a query that reads `rows`: `database.read` for few rows, `database.slow` for many. The child
 * process of `slow` costs more than a short query, and most results are small. Counting the first rows takes
 * less than a millisecond.
 */
export async function readerFor(
  database: Pick<Database, 'kind' | 'read' | 'slow'>,
  caller: string,
  rows: (reader: Reader) => Rows,
): Promise<Reader> {
  if (database.kind === 'postgres') return database.slow(caller);
  const oneMore = await rows(database.read).offset(FEW_ROWS).limit(1).executeTakeFirst();
  return oneMore ? database.slow(caller) : database.read;
}
