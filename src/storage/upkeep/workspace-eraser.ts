import { sql } from 'kysely';
import { DAY } from '../../kernel/clock.ts';
import type { Database, Transaction } from '../../kernel/database/database.ts';
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
  return async () => {
    const due = await database.read
      .selectFrom('workspaces')
      .select('id')
      .where('date_deleted', '<=', sql<number>`${database.now} - ${sql.lit(trashDays * DAY)}`)
      .execute();
    for (const { id } of due) {
      await trash.eraseAll(id);
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
