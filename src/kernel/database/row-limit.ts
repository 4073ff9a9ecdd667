import { Problem } from '../problem.ts';

/** A query of rows, or a part of it. */
interface Rows {
  limit(count: number): { offset(count: number): { executeTakeFirst(): Promise<unknown> } };
}

/**
 * Bounds the number of rows that one caller stores. Call it with a lock that each request adding such rows takes;
 * without one, concurrent requests can exceed the limit by their own number.
 * @param plural name of the rows for the message
 * @throws Problem 409 `limit_reached` when there are `most` rows already
 */
export async function requireFewer(rows: Rows, most: number, plural: string): Promise<void> {
  const last = await rows
    .limit(1)
    .offset(most - 1)
    .executeTakeFirst();
  if (last) throw new Problem('limit_reached', `The limit of ${most} ${plural} is reached.`);
}
