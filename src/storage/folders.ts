import { sql } from 'kysely';
import type { Clock } from '../kernel/clock.ts';
import type { Database, Reader, Transaction } from '../kernel/database/database.ts';
import { notFound, Problem } from '../kernel/http/problem.ts';
import { newId } from '../kernel/ids.ts';
import { lockWorkspace, requireFolder } from './lock.ts';
import { nameKey } from './names.ts';

export interface Folder {
  id: string;
  workspaceId: string;
  /** Null = the root. */
  parentId: string | null;
  name: string;
  dateCreated: number;
}

export interface FolderUsage {
  usedBytes: number;
  fileCount: number;
  /** Subfolders at any depth. */
  folderCount: number;
}

export type Folders = ReturnType<typeof createFolders>;

/** The trees of folders. Names of siblings differ in more than letter case. */
export function createFolders({ database, clock }: { database: Database; clock: Clock }) {
  const taken = () => new Problem('name_taken', 'There is a folder with this name already.');

  async function requireFreeName(trx: Transaction, parentId: string, name: string, except: string | null): Promise<void> {
    const sibling = await trx
      .selectFrom('folders')
      .select('id')
      .where('parent_id', '=', parentId)
      .where('name_key', '=', nameKey(name))
      .executeTakeFirst();
    if (sibling && sibling.id !== except) throw taken();
  }

  /** The folder and all below it. */
  function subtree(reader: Reader, folderId: string) {
    return reader.withRecursive('tree', (with_) =>
      with_
        .selectFrom('folders')
        .select('folders.id')
        .where('folders.id', '=', folderId)
        .unionAll((union) => union.selectFrom('folders').innerJoin('tree', 'tree.id', 'folders.parent_id').select('folders.id')),
    );
  }

  /** From the root down to the folder itself. */
  async function path(reader: Reader, folderId: string): Promise<{ id: string; name: string }[]> {
    return await reader
      .withRecursive('up', (with_) =>
        with_
          .selectFrom('folders')
          .select(['folders.id', 'folders.name', 'folders.parent_id', sql<number>`0`.as('height')])
          .where('folders.id', '=', folderId)
          .unionAll((union) =>
            union
              .selectFrom('folders')
              .innerJoin('up', 'up.parent_id', 'folders.id')
              .select(['folders.id', 'folders.name', 'folders.parent_id', sql<number>`up.height + 1`.as('height')]),
          ),
      )
      .selectFrom('up')
      .select(['id', 'name'])
      .orderBy('height', 'desc')
      .execute();
  }

  return {
    path: (folderId: string) => path(database.read, folderId),

    /**
     * A folder of one of the account's workspaces.
     * @param id `root` stands for the root of the account's own workspace
     * @throws Problem 404, the same for a folder of another's
     */
    async find(reader: Reader, accountId: string, id: string): Promise<Folder> {
      let query = reader
        .selectFrom('memberships')
        .innerJoin('folders', 'folders.workspace_id', 'memberships.workspace_id')
        .select(['folders.id', 'folders.workspace_id', 'folders.parent_id', 'folders.name', 'folders.date_created'])
        .where('memberships.account_id', '=', accountId);
      query =
        id === 'root'
          ? query
              .innerJoin('workspaces', 'workspaces.root_folder_id', 'folders.id')
              .where('memberships.role', '=', 'owner')
              .orderBy('folders.id')
              .limit(1)
          : query.where('folders.id', '=', id);
      const row = await query.executeTakeFirst();
      if (!row) throw notFound();
      return { id: row.id, workspaceId: row.workspace_id, parentId: row.parent_id, name: row.name, dateCreated: row.date_created };
    },

    /** Those directly in a folder, by name. */
    async children(folderId: string): Promise<Folder[]> {
      const rows = await database.read
        .selectFrom('folders')
        .select(['id', 'workspace_id', 'parent_id', 'name', 'date_created'])
        .where('parent_id', '=', folderId)
        .orderBy('name_key')
        .execute();
      return rows.map((row) => ({
        id: row.id,
        workspaceId: row.workspace_id,
        parentId: row.parent_id,
        name: row.name,
        dateCreated: row.date_created,
      }));
    },

    /** @throws Problem 409 `name_taken` */
    async create(trx: Transaction, parent: Folder, name: string): Promise<Folder> {
      await lockWorkspace(database, trx, parent.workspaceId);
      await requireFolder(trx, parent.id);
      await requireFreeName(trx, parent.id, name, null);
      const folder = { id: newId(), workspaceId: parent.workspaceId, parentId: parent.id, name, dateCreated: clock.now() };
      await trx
        .insertInto('folders')
        .values({
          id: folder.id,
          workspace_id: folder.workspaceId,
          parent_id: folder.parentId,
          name,
          name_key: nameKey(name),
          date_created: folder.dateCreated,
        })
        .execute();
      return folder;
    },

    /**
     * Renames and moves a folder. The root has neither.
     * @throws Problem 409 `root_folder`, `folder_cycle`, `name_taken`; 404 when the target is in another workspace
     */
    async change(trx: Transaction, folder: Folder, { name = folder.name, parent }: { name?: string; parent?: Folder }): Promise<Folder> {
      if (folder.parentId === null) throw new Problem('root_folder', 'The root folder can be neither renamed nor moved.');
      // Changes of one tree come one after the other, so that two moves cannot make a cycle together.
      await lockWorkspace(database, trx, folder.workspaceId);
      await requireFolder(trx, folder.id);
      const parentId = parent?.id ?? folder.parentId;
      if (parent) {
        if (parent.workspaceId !== folder.workspaceId) throw notFound();
        await requireFolder(trx, parent.id);
        const above = await path(trx, parent.id);
        if (above.some(({ id }) => id === folder.id)) {
          throw new Problem('folder_cycle', 'A folder cannot be moved into itself or into a folder inside it.');
        }
      }
      await requireFreeName(trx, parentId, name, folder.id);
      await trx
        .updateTable('folders')
        .set({ name, name_key: nameKey(name), parent_id: parentId })
        .where('id', '=', folder.id)
        .execute();
      return { ...folder, name, parentId };
    },

    /**
     * Deletes a folder; with `recursive` all that is below it too, whose files can be restored like any other.
     * @throws Problem 409 `root_folder`, `folder_not_empty`
     */
    async remove(trx: Transaction, folder: Folder, recursive: boolean): Promise<void> {
      if (folder.parentId === null) throw new Problem('root_folder', 'The root folder cannot be deleted.');
      await lockWorkspace(database, trx, folder.workspaceId);
      if (!recursive) {
        const child = await trx.selectFrom('folders').select('id').where('parent_id', '=', folder.id).limit(1).executeTakeFirst();
        const file = await trx
          .selectFrom('files')
          .select('id')
          .where('folder_id', '=', folder.id)
          .where('deleted_at', 'is', null)
          .limit(1)
          .executeTakeFirst();
        if (child || file) throw new Problem('folder_not_empty', 'The folder is not empty. Delete it with ?recursive=true.');
      }
      const ids = subtree(trx, folder.id).selectFrom('tree').select('id');
      const { bytes } = await trx
        .selectFrom('files')
        .select((of) => of.fn.sum<number | null>('size_bytes').as('bytes'))
        .where('folder_id', 'in', ids)
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow();
      await trx
        .updateTable('files')
        .set({ deleted_at: clock.now() })
        .where('folder_id', 'in', ids)
        .where('deleted_at', 'is', null)
        .execute();
      await trx
        .updateTable('workspaces')
        .set((set) => ({ used_bytes: set('used_bytes', '-', Number(bytes ?? 0)) }))
        .where('id', '=', folder.workspaceId)
        .execute();
      await trx.deleteFrom('folders').where('id', 'in', ids).execute();
    },

    /** What a folder holds, subfolders included. */
    async usage(folderId: string): Promise<FolderUsage> {
      const tree = subtree(database.read, folderId);
      const [files, folders] = await Promise.all([
        tree
          .selectFrom('files')
          .innerJoin('tree', 'tree.id', 'files.folder_id')
          .select((of) => [of.fn.countAll<number>().as('count'), of.fn.sum<number | null>('size_bytes').as('bytes')])
          .where('deleted_at', 'is', null)
          .executeTakeFirstOrThrow(),
        tree
          .selectFrom('tree')
          .select((of) => of.fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow(),
      ]);
      return { usedBytes: Number(files.bytes ?? 0), fileCount: Number(files.count), folderCount: Number(folders.count) - 1 };
    },
  };
}
