import { SECOND } from '../../kernel/clock.ts';
import type { Database, Transaction } from '../../kernel/database/database.ts';
import type { FairQueue } from '../../kernel/limits/fair-queue.ts';
import { createKeyedSemaphores } from '../../kernel/limits/keyed-semaphores.ts';

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
