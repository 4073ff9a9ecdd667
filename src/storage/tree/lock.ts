import { SECOND } from '../../kernel/clock.ts';
import type { Database, Transaction } from '../../kernel/database/database.ts';
import { createFairQueue, type FairQueue } from '../../kernel/limits/fair-queue.ts';

/**
 * Locks the tree and the sums of a workspace until the end of the transaction. Taken before any row of a file, so that
 * transactions cannot deadlock. SQLite runs one transaction at a time and needs no lock.
 */
export async function lockWorkspace(
  database: Database,
  trx: Transaction,
  workspaceId: string,
): Promise<void> {
  if (database.kind === 'postgres')
    await trx.selectFrom('workspaces').select('id').where('id', '=', workspaceId).forUpdate().execute();
}

/** Locks workspaces, in one order for all transactions. */
export async function lockWorkspaces(
  database: Database,
  trx: Transaction,
  ids: readonly string[],
): Promise<void> {
  for (const id of new Set([...ids].sort())) await lockWorkspace(database, trx, id);
}

/** One transaction works while the next one begins. */
const TURNS = {
  running: Infinity,
  runningEach: 2,
  waiting: Infinity,
  waitingEach: Infinity,
  waitMs: 4 * SECOND,
};

/**
 * Returns a function that runs transactions which lock a workspace, by its id. On PostgreSQL, two of a workspace run at
 * once: further ones would only occupy connections while they wait for the lock, and delay other requests.
 */
export function createWorkspaceTurns({ kind }: Pick<Database, 'kind'>): FairQueue {
  return kind === 'postgres' ? createFairQueue(TURNS) : (_, work) => work();
}
