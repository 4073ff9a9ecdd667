import type { Selectable } from 'kysely';
import type { Database, Reader } from '../../../kernel/database/database.ts';
import type { TrashTreesTable } from '../../tables.ts';
import { type FindFile, prepareFindFile, type StoredFile } from '../files/file.ts';
import { type Member, prepareReach } from '../member.ts';

/** A deleted folder with everything that was in it. */
export type TrashTree = Selectable<TrashTreesTable>;

/** A deleted file or folder. */
export type Deleted = { workspaceId: string } & ({ tree: TrashTree } | { file: StoredFile });

/** Finds what is in the trash. */
interface FindDeleted {
  file: FindFile;
  /**
   * Returns a deleted file or folder of one of the member's workspaces. A file may belong to a tree, and either may be
   * erased already.
   * @throws Problem 404, 403 `role_insufficient`
   */
  entry(reader: Reader, member: Member, id: string): Promise<Deleted>;
}

export function createFindDeleted(database: Database): FindDeleted {
  const findFile = prepareFindFile(database, 'deleted');
  const findTree = prepareReach(database, (memberships, { id }: { id: string }) =>
    memberships
      .innerJoin('trash_trees', 'trash_trees.workspace_id', 'memberships.workspace_id')
      .selectAll('trash_trees')
      .where('trash_trees.id', '=', id),
  );
  return {
    file: findFile,
    async entry(reader, member, id) {
      const isTree = await reader
        .selectFrom('trash_trees')
        .select('id')
        .where('id', '=', id)
        .executeTakeFirst();
      if (!isTree) {
        const file = await findFile(reader, member, id);
        return { workspaceId: file.workspaceId, file };
      }
      const tree = await findTree(reader, member, { id });
      return { workspaceId: tree.workspace_id, tree };
    },
  };
}
