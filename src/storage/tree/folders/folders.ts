import type { Transaction } from '../../../kernel/database/database.ts';
import { createTimeSlices } from '../../../kernel/event-loop/time-slices.ts';
import { pathTo } from './above.ts';
import { changeFolder, createFolder, type FolderChange, type FolderDeps } from './changes.ts';
import { type CopyFolder, createCopyFolder } from './copies.ts';
import { childrenOf, type FindFolder, type Folder, type FolderUsage, folderUsage } from './folder.ts';
import { beginMove, completeMovesInto, workspacesWithMoves } from './moves.ts';

/** The trees of folders. The names of siblings differ in more than letter case. */
export interface Folders {
  find: FindFolder;
  /** Returns the folders from the root down to the folder itself. */
  path(folder: Folder): Promise<{ id: string; name: string }[]>;
  /** Returns the direct subfolders of a folder, by name. */
  children(folder: Folder): Promise<Folder[]>;
  /** Returns the size of a folder's content, subfolders included. */
  usage(folder: Folder): Promise<FolderUsage>;
  /**
   * @param by id of the member
   * @throws Problem 404 when the parent was deleted meanwhile, 403, 409 `name_taken`, `folder_too_deep`, `folder_full`
   */
  create(trx: Transaction, parent: Folder, name: string, by: string): Promise<Folder>;
  /**
   * Renames and moves a folder other than the root.
   * @throws Problem 409 `root_folder`, `folder_cycle`, `folder_too_deep`, `folder_full`, `name_taken`;
   * 404 when the target is in another workspace, 403
   */
  change(trx: Transaction, folder: Folder, change: FolderChange): Promise<Folder>;
  /**
   * Moves a folder other than the root to another workspace, with everything in it.
   * @throws Problem 404, 403, 409 `root_folder`, `name_taken`, `folder_too_deep`, `folder_full`, 503, 507
   */
  moveAcross(folder: Folder, change: FolderChange & { parent: Folder }): Promise<Folder>;
  /** Completes moves to other workspaces, in batches. */
  completeMoves(): Promise<void>;
  copy: CopyFolder;
}

export function createFolders(deps: FolderDeps): Folders {
  const { database } = deps;
  const giveWay = createTimeSlices();
  return {
    find: deps.rows.findFolder,
    path: async ({ id }) => (await pathTo(database.read, id)).map(({ id, name }) => ({ id, name })),
    children: (folder) => childrenOf(database, folder, giveWay),
    usage: (folder) => folderUsage(database, folder),
    create: (trx, parent, name, by) => createFolder(trx, deps, parent, name, by),
    change: (trx, folder, change) => changeFolder(trx, deps, folder, change),
    async moveAcross(folder, { name: wanted = folder.name, parent, onConflict, by }) {
      const { usedBytes: bytes } = await folderUsage(database, folder);
      const move = { parent, name: wanted, onConflict, bytes, by };
      const { name, isPartial } = await database.transaction((trx) => {
        deps.changed(trx, folder.workspaceId, folder.parentId);
        deps.changed(trx, parent.workspaceId, parent.id);
        return beginMove(trx, deps, folder, move);
      });
      if (isPartial) await completeMovesInto(deps, parent.workspaceId);
      return { ...folder, name, parentId: parent.id, workspaceId: parent.workspaceId };
    },
    async completeMoves() {
      for (const id of await workspacesWithMoves(database)) await completeMovesInto(deps, id);
    },
    copy: createCopyFolder(deps),
  };
}
