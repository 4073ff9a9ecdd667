import type { Database, Reader, Transaction } from '../../kernel/database/database.ts';
import { putFact } from '../../kernel/database/facts.ts';
import { nextRound } from '../../kernel/event-loop/next-round.ts';
import { newId } from '../../kernel/ids.ts';

const REVISION = 'revision of chat targets';

/**
 * Makes every node read the targets again. Call it in each transaction that changes or deletes a client, guild or
 * channel.
 */
export async function changeTargets(trx: Transaction): Promise<void> {
  await putFact(trx, REVISION, newId());
}

/**
 * Returns a function that returns the revision of the targets as of a time after the call, by which a node proves that
 * targets in its memory are current; '' before the first change. Callers of one round of the event loop share a query.
 */
export function createTargetRevision(database: Database): () => Promise<string> {
  const find = database.prepare(
    (reader: Reader) => reader.selectFrom('facts').select('value').where('name', '=', REVISION),
    { isLookup: true },
  );
  let next: Promise<string> | null = null;
  return () => {
    next ??= nextRound().then(async () => {
      next = null;
      const [row] = await find(database.read, {});
      return row?.value ?? '';
    });
    return next;
  };
}
