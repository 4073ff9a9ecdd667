import { BATCH_PAUSE_MS } from '../../../kernel/database/batches.ts';
import type { Database, Transaction } from '../../../kernel/database/database.ts';
import type { Changed } from '../changes.ts';
import { lockWorkspace } from '../lock.ts';
import { isMoving, movingProblem } from '../moving.ts';
import { moveIntoTrash } from './into-trash.ts';
import { moveOutOfTrash } from './out-of-trash.ts';
import type { TrashSpace } from './space.ts';
import type { TrashTree } from './tree.ts';

export interface TrashMoveDeps {
  database: Database;
  trashSpace: TrashSpace;
  changed: Changed;
}

/**
 * Moves the next rows of the tree of a workspace that is being moved to the trash or back. The transaction that begins
 * a move hides or shows the folder itself; its content follows in batches, which any process can continue. One tree of
 * a workspace moves at a time, so that no two moves overlap.
 * @returns the id of the folder to which content has returned; null = only the trash has changed
 */
export async function moveRows(
  trx: Transaction,
  deps: TrashMoveDeps,
  workspaceId: string,
): Promise<string | null> {
  await lockWorkspace(deps.database, trx, workspaceId);
  const tree = await trx
    .selectFrom('trash_trees')
    .selectAll('trash_trees')
    .innerJoin('workspaces', 'workspaces.moving_tree_id', 'trash_trees.id')
    .where('workspaces.id', '=', workspaceId)
    .executeTakeFirst();
  const isPartial = tree !== undefined && (await moveBatch(trx, deps, tree));
  if (!isPartial)
    await trx.updateTable('workspaces').set({ moving_tree_id: null }).where('id', '=', workspaceId).execute();
  return tree?.state === 'restoring' ? tree.id : null;
}

/** Moves a batch of the content; reports whether more is left. */
async function moveBatch(trx: Transaction, { trashSpace }: TrashMoveDeps, tree: TrashTree): Promise<boolean> {
  return tree.state === 'removing'
    ? await moveIntoTrash(trx, trashSpace, tree)
    : await moveOutOfTrash(trx, tree);
}

/** Completes the move of a workspace, with pauses. @param until time of `performance` at which it is left incomplete */
export async function completeMove(
  deps: TrashMoveDeps,
  workspaceId: string,
  until = Number.POSITIVE_INFINITY,
): Promise<void> {
  while (performance.now() < until && (await isMoving(deps.database.read, workspaceId))) {
    await deps.database.transaction(async (trx) =>
      deps.changed(trx, workspaceId, await moveRows(trx, deps, workspaceId)),
    );
    await Bun.sleep(BATCH_PAUSE_MS);
  }
}

/**
 * Runs `work` while no tree of the workspace moves, and completes the moves before and after it. `work` must check
 * the role of the member again. @throws Problem 503 when the moves before it take too long
 */
export type WhileSettled = <Result>(
  workspaceId: string,
  work: (trx: Transaction) => Promise<Result>,
) => Promise<Result>;

/** @param maxWaitMs maximum time of the moves before `work` */
export function createWhileSettled(deps: TrashMoveDeps, maxWaitMs: number): WhileSettled {
  const { database } = deps;
  return async (workspaceId, work) => {
    const end = performance.now() + maxWaitMs;
    for (;;) {
      const done = await database.transaction(async (trx) => {
        await lockWorkspace(database, trx, workspaceId);
        return (await isMoving(trx, workspaceId)) ? null : { result: await work(trx) };
      });
      if (done) {
        await completeMove(deps, workspaceId);
        return done.result;
      }
      if (performance.now() >= end) throw movingProblem();
      await completeMove(deps, workspaceId, end);
    }
  };
}
