import { sql } from 'kysely';
import type { Database } from '../../kernel/database/database.ts';

/** Maximum number of returned ids, so that a damaged database does not fill the memory. */
export const MAX_IDS = 1_000;

/**
 * Returns the ids of at most `MAX_IDS` files, folders and versions in another workspace than the folder, the tree of
 * the trash or the file that contains them. Those in a folder whose move is incomplete follow it.
 */
export async function strays({ read }: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select files.id from files join folders on folders.id = files.folder_id
    where files.deleted_at is null and files.workspace_id != folders.workspace_id and folders.move_id is null
    union all
    select folders.id from folders join folders as parent on parent.id = folders.parent_id
    where folders.deleted_at is null and folders.workspace_id != parent.workspace_id and parent.move_id is null
    union all
    select files.id from files join trash_trees on trash_trees.id = files.trash_id
    where files.deleted_at is not null and files.workspace_id != trash_trees.workspace_id
    union all
    select trash_folders.id from trash_folders join trash_trees on trash_trees.id = tree_id
    where trash_folders.workspace_id != trash_trees.workspace_id
    union all
    select file_versions.id from file_versions join files on files.id = file_id
    where file_versions.workspace_id != files.workspace_id
    limit ${sql.lit(MAX_IDS)}`.execute(read);
  return rows.map(({ id }) => id);
}

/** Returns the ids of at most `MAX_IDS` folders that form cycles, or are below one, so that no root leads to them. */
export async function circles({ read }: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive tree(id) as (
      select folders.id from folders left join folders as parent on parent.id = folders.parent_id
      where folders.deleted_at is null and (parent.id is null or parent.deleted_at is not null)
      union all
      select folders.id from tree join folders on folders.parent_id = tree.id
      where folders.deleted_at is null)
    select id from folders where deleted_at is null except select id from tree
    limit ${sql.lit(MAX_IDS)}`.execute(read);
  return rows.map(({ id }) => id);
}
