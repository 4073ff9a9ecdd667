import { SECOND } from '../../kernel/clock.ts';
import type { Database, Reader, Transaction } from '../../kernel/database/database.ts';
import type { FairQueue } from '../../kernel/limits/fair-queue.ts';
import { createKeyedSemaphores } from '../../kernel/limits/keyed-semaphores.ts';
import { notFound } from '../../kernel/problem.ts';

/**
 * Locks the tree and the sums of a workspace until the end of the transaction. Taken before any row of a file, so that
 * transactions cannot deadlock.
 */
export async function lockWorkspace(
  database: Pick<Database, 'lock'>,
  trx: Transaction,
  workspaceId: string,
): Promise<void> {
  const row = trx.selectFrom('workspaces').select('id').where('id', '=', workspaceId);
  await database.lock(trx, workspaceId, row);
}

/** Locks workspaces, in one order for all transactions. */
export async function lockWorkspaces(
  database: Pick<Database, 'lock'>,
  trx: Transaction,
  ids: readonly string[],
): Promise<void> {
  for (const id of new Set([...ids].sort())) await lockWorkspace(database, trx, id);
}

/**
 * Finds rows for a member and locks their workspaces, so that the role that permits the change of the rows stays the
 * same until the end of the transaction: changes of members take this lock too. SQLite runs one transaction at a time
 * and needs no lock.
 * @param find is called again with the lock; its errors are those of this function
 * @throws Problem 404 when the rows have moved to another workspace meanwhile
 */
export async function findLocked<Found>(
  database: Pick<Database, 'kind' | 'lock'>,
  trx: Transaction,
  find: (reader: Reader) => Promise<Found>,
  workspacesOf: (found: Found) => readonly string[],
): Promise<Found> {
  // First without the lock, which only members may take.
  const before = await find(trx);
  if (database.kind === 'sqlite') return before;
  const locked = workspacesOf(before);
  await lockWorkspaces(database, trx, locked);
  const found = await find(trx);
  if (workspacesOf(found).some((id) => !locked.includes(id))) throw notFound();
  return found;
}

/** As `findLocked`, for one row. */
export async function findRowLocked<Found extends { workspaceId: string }>(
  database: Pick<Database, 'kind' | 'lock'>,
  trx: Transaction,
  find: (reader: Reader) => Promise<Found>,
): Promise<Found> {
  return await findLocked(database, trx, find, ({ workspaceId }) => [workspaceId]);
}

/** One transaction of a workspace works while the next one begins. */
const TURNS = {
  running: 2,
  runningEach: 2,
  waiting: Infinity,
  waitingEach: Infinity,
  waitMs: 4 * SECOND,
};

/**
 * Returns a function that runs transactions which lock a workspace, by its id. On PostgreSQL, two of a workspace run at
 * once: further ones would only occupy connections while they wait for the lock, and delay other requests. Callers take
 * turns, so that the many transactions of one member or visitor do not delay those of the others.
 */
export function createWorkspaceTurns({ kind, caller }: Pick<Database, 'kind' | 'caller'>): FairQueue {
  if (kind === 'sqlite') return (_, work) => work();
  const turns = createKeyedSemaphores(TURNS);
  return async (id, work) => {
    const release = await turns.acquire(id, caller());
    try {
      return await work();
    } finally {
      release();
    }
  };
}
