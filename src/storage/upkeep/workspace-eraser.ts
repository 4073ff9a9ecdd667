import { sql } from 'kysely';
import { DAY } from '../../kernel/clock.ts';
import { inBatches } from '../../kernel/database/batches.ts';
import type { Database, Reader, Transaction } from '../../kernel/database/database.ts';
import { deleteLinks } from '../tree/dependents.ts';
import type { Trash } from '../tree/trash/trash.ts';

interface EraserDeps {
  database: Database;
  trash: Pick<Trash, 'eraseAll'>;
  trashDays: number;
}

/**
 * Erases the workspaces that have been deleted for `trashDays`. Their files go through the trash, from where the
 * collector erases them; a later call deletes the empty workspace.
 */
export function createWorkspaceEraser({ database, trash, trashDays }: EraserDeps): () => Promise<void> {
  const due = (reader: Reader) =>
    reader
      .selectFrom('workspaces')
      .select('id')
      .where('date_deleted', '<=', sql<number>`${database.now} - ${sql.lit(trashDays * DAY)}`);
  return async () => {
    for (const { id } of await due(database.read).execute()) {
      // Checked again with the workspace locked, since it can be restored meanwhile.
      const isDue = async (reader: Reader) =>
        (await due(reader).where('id', '=', id).executeTakeFirst()) !== undefined;
      await trash.eraseAll(id, isDue);
      await inBatches(database, async (trx) => (await isDue(trx)) && deleteLinks(trx, 'workspace_id', [id]));
      await database.transaction((trx) => removeEmpty(trx, id));
    }
  };
}

async function removeEmpty(trx: Transaction, workspaceId: string): Promise<void> {
  await trx
    .deleteFrom('workspaces')
    .where('id', '=', workspaceId)
    .where('date_deleted', 'is not', null)
    .where((where) =>
      where.and(
        (['folders', 'files', 'trash_trees', 'uploads'] as const).map((table) =>
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
