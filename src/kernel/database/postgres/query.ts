import type { Client } from 'pg';
import { classify, NoResponse } from './errors.ts';

/**
 * Runs a statement, and ends the connection when there is no response within `limitMs`.
 * @throws NoResponse, ConnectionBroken, Unavailable, DatabaseError
 */
export async function queryInTime(
  client: Client,
  limitMs: number,
  statement: string | { name?: string; text: string },
  values: readonly unknown[],
): Promise<unknown> {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    client.connection.stream.destroy();
  }, limitMs);
  try {
    const { name, text } = typeof statement === 'string' ? { text: statement } : statement;
    return await client.query({ name, text, values: [...values] });
  } catch (error) {
    throw isLate
      ? new NoResponse('database', `no response within ${limitMs} ms`, { cause: error })
      : classify(error);
  } finally {
    clearTimeout(timer);
  }
}
