import { type Selectable, sql } from 'kysely';
import type { Reader } from '../kernel/database/database.ts';
import type { GiveWay } from '../kernel/event-loop/time-slices.ts';
import { firstWithin } from '../kernel/first-within.ts';
import type { OutboxTable } from '../kernel/tables.ts';

export type FirstPart = Omit<Selectable<OutboxTable>, 'payload'> & { payload: unknown };

/** Maximum size of the payloads that are read at once, unless it is a single one. */
const PAYLOADS_BYTES = 500_000;

/** Returns the first parts by message id. Reads them in groups, since a page may have many megabytes of payloads. */
export async function readFirsts(
  reader: Reader,
  messageIds: readonly string[],
  giveWay: GiveWay,
): Promise<Map<string, FirstPart>> {
  const firsts = (ids: readonly string[]) =>
    reader.selectFrom('outbox').where('message_id', 'in', ids).where('part', '=', 0);
  const sizes = await firsts(messageIds)
    .select(['message_id as id', sql<number>`octet_length(payload)`.as('size')])
    .execute();
  const parts = new Map<string, FirstPart>();
  for (let rest: readonly { id: string; size: number }[] = sizes; rest.length > 0; ) {
    await giveWay();
    const ids = firstWithin(rest, PAYLOADS_BYTES, ({ size }) => size).map(({ id }) => id);
    rest = rest.slice(ids.length);
    for (const row of await firsts(ids).selectAll().execute())
      parts.set(row.message_id, { ...row, payload: JSON.parse(row.payload) as unknown });
  }
  return parts;
}
