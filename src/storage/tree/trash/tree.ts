import type { Selectable } from 'kysely';
import type { Reader } from '../../../kernel/database/database.ts';
import type { TrashTreesTable } from '../../tables.ts';
import { findFile, type StoredFile } from '../files/file.ts';
import { type Member, reach } from '../member.ts';

/** A deleted folder with everything that was in it. */
export type TrashTree = Selectable<TrashTreesTable>;

/** A deleted file or folder. */
export type Deleted = { workspaceId: string } & ({ tree: TrashTree } | { file: StoredFile });

/**
 * Returns a deleted file or folder of one of the member's workspaces. A file may belong to a tree, and either may be
 * erased already.
 * @throws Problem 404, 403 `role_insufficient`
 */
export async function findDeleted(reader: Reader, member: Member, id: string): Promise<Deleted> {
  const isTree = await reader.selectFrom('trash_trees').select('id').where('id', '=', id).executeTakeFirst();
  if (!isTree) {
    const file = await findFile(reader, member, id, 'deleted');
    return { workspaceId: file.workspaceId, file };
  }
  const tree = await reach(reader, member, (memberships) =>
    memberships
      .innerJoin('trash_trees', 'trash_trees.workspace_id', 'memberships.workspace_id')
      .selectAll('trash_trees')
      .where('trash_trees.id', '=', id),
  );
  return { workspaceId: tree.workspace_id, tree };
}
