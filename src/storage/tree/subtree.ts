import { sql } from 'kysely';
import type { Reader } from '../../kernel/database/database.ts';

const COLUMNS = ['folders.id', 'folders.parent_id', 'folders.name', 'folders.date_created'] as const;

/** Starts a query over `tree`: the folder and all folders below it, at any depth. */
export function subtree(reader: Reader, folderId: string) {
  return reader.withRecursive('tree', (with_) =>
    with_
      .selectFrom('folders')
      .select(COLUMNS)
      .where('folders.id', '=', folderId)
      .unionAll((union) =>
        union.selectFrom('folders').innerJoin('tree', 'tree.id', 'folders.parent_id').select(COLUMNS),
      ),
  );
}

/** Returns the folders from the root down to the folder itself. */
export async function pathTo(reader: Reader, folderId: string): Promise<{ id: string; name: string }[]> {
  return await reader
    .withRecursive('up', (with_) =>
      with_
        .selectFrom('folders')
        .select([...COLUMNS, sql<number>`0`.as('height')])
        .where('folders.id', '=', folderId)
        .unionAll((union) =>
          union
            .selectFrom('folders')
            .innerJoin('up', 'up.parent_id', 'folders.id')
            .select([...COLUMNS, sql<number>`up.height + 1`.as('height')]),
        ),
    )
    .selectFrom('up')
    .select(['id', 'name'])
    .orderBy('height', 'desc')
    .execute();
}
