import { sql } from 'kysely';
import type { Database } from '../../kernel/database/database.ts';

/** Returns the ids of links to erased folders, as a program without links leaves them; `repair` deletes the links. */
export async function deadLinks(database: Database, repair: boolean): Promise<string[]> {
  const dead = await database.read
    .selectFrom('links')
    .select('id')
    .where('folder_id', 'is not', null)
    .where((where) =>
      where.and(
        (['folders', 'trash_folders'] as const).map((table) =>
          where.not(
            where.exists(
              where.selectFrom(table).select(`${table}.id`).whereRef(`${table}.id`, '=', 'links.folder_id'),
            ),
          ),
        ),
      ),
    )
    .execute();
  for (const { id } of repair ? dead : [])
    await database.transaction((trx) => trx.deleteFrom('links').where('id', '=', id).execute());
  return dead.map(({ id }) => id);
}

/**
 * Workspace of the folder of a link; null when there is none, or while the folder moves, since its links move later.
 */
const workspaceIn = (table: 'folders' | 'trash_folders') => sql`(
  select workspace_id from ${sql.table(table)} as folder where folder.id = links.folder_id and folder.move_id is null)`;
const WORKSPACE_OF_FOLDER = sql<string>`coalesce(${workspaceIn('folders')}, ${workspaceIn('trash_folders')})`;

/** Returns the ids of links to folders of another workspace than their own; `repair` corrects them. */
export async function misplacedLinks(database: Database, repair: boolean): Promise<string[]> {
  const misplaced = await database.read
    .selectFrom('links')
    .select('id')
    .where('workspace_id', '!=', WORKSPACE_OF_FOLDER)
    .execute();
  for (const { id } of repair ? misplaced : [])
    await database.transaction((trx) =>
      trx
        .updateTable('links')
        .set({ workspace_id: WORKSPACE_OF_FOLDER })
        .where('id', '=', id)
        .where('workspace_id', '!=', WORKSPACE_OF_FOLDER)
        .execute(),
    );
  return misplaced.map(({ id }) => id);
}
