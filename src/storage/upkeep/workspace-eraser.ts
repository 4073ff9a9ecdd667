import { sql } from 'kysely';
import { DAY } from '../../kernel/clock.ts';
import type { Database, Transaction } from '../../kernel/database/database.ts';
import { readNow } from '../../kernel/database/now.ts';
import type { Folders } from '../tree/folders.ts';
import { lockWorkspace } from '../tree/lock.ts';
import type { TrashSpace } from '../tree/trash-space.ts';

interface EraserDeps {
  database: Database;
  folders: Pick<Folders, 'completeRemovals'>;
  trashSpace: TrashSpace;
  trashDays: number;
}

/**
 * Erases the workspaces that have been deleted for `trashDays`. Their files go through the trash, from where the
 * collector erases them; a later call deletes the empty workspace.
 */
export function createWorkspaceEraser(deps: EraserDeps): () => Promise<void> {
  const { database, folders, trashDays } = deps;
  return async () => {
    const due = await database.read
      .selectFrom('workspaces')
      .select('id')
      .where('date_deleted', '<=', sql<number>`${database.now} - ${sql.lit(trashDays * DAY)}`)
      .execute();
    for (const { id } of due) {
      await database.transaction((trx) => removeRoot(trx, deps, id));
      await folders.completeRemovals(id);
      await database.transaction((trx) => eraseFiles(trx, deps, id));
      await database.transaction((trx) => removeEmpty(trx, id));
    }
  };
}

async function removeRoot(
  trx: Transaction,
  { database, trashSpace }: EraserDeps,
  workspaceId: string,
): Promise<void> {
  await lockWorkspace(database, trx, workspaceId);
  await trx
    .updateTable('folders')
    .set({ deleted_at: await trashSpace.deletionTime(trx, workspaceId) })
    .where('workspace_id', '=', workspaceId)
    .where('parent_id', 'is', null)
    .where('deleted_at', 'is', null)
    .execute();
}

async function eraseFiles(
  trx: Transaction,
  { database, trashSpace }: EraserDeps,
  workspaceId: string,
): Promise<void> {
  await lockWorkspace(database, trx, workspaceId);
  await trashSpace.erase(trx, workspaceId, await readNow(database, trx));
}

async function removeEmpty(trx: Transaction, workspaceId: string): Promise<void> {
  await trx
    .deleteFrom('workspaces')
    .where('id', '=', workspaceId)
    .where('date_deleted', 'is not', null)
    .where((where) =>
      where.and(
        (['folders', 'files', 'uploads'] as const).map((table) =>
          where.not(
            where.exists(
              where.selectFrom(table).select('id').whereRef(`${table}.workspace_id`, '=', 'workspaces.id'),
            ),
          ),
        ),
      ),
    )
    .execute();
}
