import type { Database } from '../../kernel/database/database.ts';

/** Returns the links to folders that were erased, as by a program before links; `repair` deletes them. */
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
