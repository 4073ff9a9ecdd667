import type { Database, Reader, Transaction } from '../../kernel/database/database.ts';
import { putFact } from '../../kernel/database/facts.ts';
import { nextRound } from '../../kernel/event-loop/next-round.ts';
import { newId } from '../../kernel/ids.ts';

/** Returns the revision of the data as of a time after the call; '' before the first change. */
export type ReadRevision = () => Promise<string>;

/**
 * Returns a reader of the revision that `advanceRevision` stores, by which a node proves that data in its memory is
 * current. Callers of one round of the event loop share a query.
 */
export function createRevision(database: Database, name: string): ReadRevision {
  const find = database.prepare(
    (reader: Reader, values: { name: string }) =>
      reader.selectFrom('facts').select('value').where('name', '=', values.name),
    { isLookup: true },
  );
  let next: Promise<string> | null = null;
  return () => {
    next ??= nextRound().then(async () => {
      next = null;
      const [row] = await find(database.read, { name });
      return row?.value ?? '';
    });
    return next;
  };
}

/** Assigns a new revision to the data with this name. Call in each transaction that changes it. */
export async function advanceRevision(trx: Transaction, name: string): Promise<void> {
  await putFact(trx, name, newId());
}
