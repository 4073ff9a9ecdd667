import type { Reader, Transaction } from '../../../kernel/database/database.ts';
import { findFile, type StoredFile } from '../file.ts';
import { type Folder, findRoot } from '../folder.ts';
import { requireNotRoot } from '../folder-rules.ts';
import { lockWorkspace } from '../lock.ts';
import type { Member } from '../member.ts';
import { eraseFile, removeFile, restoreFile } from './files.ts';
import { listTrash, type TrashPage } from './list.ts';
import { completeMove, foldersMarked, isMoving, workspacesWithTrashMoves } from './moves.ts';
import { findDeleted } from './tree.ts';
import { eraseTree, type OnRestoreConflict, removeTree, restoreTree, type TrashDeps } from './trees.ts';

/** The kind, the name and the folder of a restored item. */
export interface Restored {
  kind: 'file' | 'folder';
  name: string;
  folderId: string;
}

/** Deleted files and folders. A deleted folder is one entry with everything in it, which cannot be changed. */
export interface Trash {
  /** Moves a file to the trash, for everyone at once. @throws Problem 404 */
  removeFile(trx: Transaction, file: StoredFile, deletedBy: string): Promise<void>;
  /**
   * Moves a folder with everything in it to the trash, in several transactions of which the first hides it.
   * @throws Problem 404, 403, 409 `root_folder`, `folder_not_empty`
   */
  removeFolder(
    find: (reader: Reader) => Promise<Folder>,
    options: { isRecursive: boolean; deletedBy: string },
  ): Promise<void>;
  /**
   * Moves an entry, or one file of a deleted folder, back to its place. Folders above it that are gone are created
   * again. @throws Problem 404, 403, 409 `name_taken`, `folder_too_deep`, `folder_full`, 507 when it no longer
   * fits
   */
  restore(member: Member, id: string, onConflict: OnRestoreConflict): Promise<Restored>;
  /** As `restore`, for files only. */
  restoreFile(member: Member, id: string, onConflict: OnRestoreConflict): Promise<StoredFile>;
  /** Erases an entry. @throws Problem 404, 403 */
  erase(member: Member, id: string): Promise<void>;
  /** Erases all entries of a workspace. */
  empty(workspace: { id: string }): Promise<void>;
  /** Erases all content of a workspace, with its root, and all entries. */
  eraseAll(workspaceId: string): Promise<void>;
  /** Returns a page of the entries of a workspace, the last deleted first. @throws Problem 400 */
  list(workspace: { id: string }, page: { limit: number; cursor?: string }): Promise<TrashPage>;
  /** Completes the moves that a killed process left, and the deletions of older programs without trees. */
  completeMoves(): Promise<void>;
}

export function createTrash(deps: TrashDeps): Trash {
  const { database, trashSpace, changed } = deps;

  /** Runs `work` while no tree of the workspace moves, and completes the moves before and after it. */
  async function betweenMoves<Result>(
    workspaceId: string,
    work: (trx: Transaction) => Promise<Result>,
  ): Promise<Result> {
    for (;;) {
      const done = await database.transaction(async (trx) => {
        await lockWorkspace(database, trx, workspaceId);
        return (await isMoving(trx, workspaceId)) ? null : { result: await work(trx) };
      });
      await completeMove(deps, workspaceId);
      if (done) return done.result;
    }
  }

  const empty = (workspaceId: string) =>
    betweenMoves(workspaceId, async (trx) => {
      // Erases the entries of this moment, too; the next deletion has a later time.
      await trashSpace.erase(trx, workspaceId, await trashSpace.deletionTime(trx, workspaceId));
      changed(trx, workspaceId, null);
    });
  const restoreFound = (file: StoredFile, onConflict: OnRestoreConflict) =>
    betweenMoves(file.workspaceId, async (trx) => {
      const restored = await restoreFile(trx, deps, file, onConflict);
      changed(trx, restored.workspaceId, restored.folderId);
      return restored;
    });

  return {
    async removeFile(trx, file, deletedBy) {
      await removeFile(trx, deps, file, deletedBy);
      changed(trx, file.workspaceId, file.folderId);
    },
    async removeFolder(find, options) {
      const folder = await find(database.read);
      requireNotRoot(folder);
      await betweenMoves(folder.workspaceId, async (trx) => {
        const found = await find(trx);
        await removeTree(trx, deps, found, options);
        for (const id of [found.parentId, found.id]) changed(trx, found.workspaceId, id);
      });
    },
    async restore(member, id, onConflict) {
      const found = await findDeleted(database.read, member, id);
      if ('file' in found) {
        const { originalName, folderId } = await restoreFound(found.file, onConflict);
        return { kind: 'file', name: originalName, folderId };
      }
      const { name, parentId } = await betweenMoves(found.tree.workspace_id, async (trx) => {
        const restored = await restoreTree(trx, deps, found.tree, onConflict);
        changed(trx, found.tree.workspace_id, restored.parentId);
        return restored;
      });
      return { kind: 'folder', name, folderId: parentId };
    },
    restoreFile: async (member, id, onConflict) =>
      restoreFound(await findFile(database.read, member, id, 'deleted'), onConflict),
    async erase(member, id) {
      const found = await findDeleted(database.read, member, id);
      const { workspaceId } = 'file' in found ? found.file : { workspaceId: found.tree.workspace_id };
      await betweenMoves(workspaceId, async (trx) => {
        if ('file' in found) await eraseFile(trx, deps, found.file);
        else await eraseTree(trx, deps, found.tree);
        changed(trx, workspaceId, null);
      });
    },
    empty: ({ id }) => empty(id),
    async eraseAll(workspaceId) {
      const root = await findRoot(database.read, workspaceId);
      if (root)
        await betweenMoves(workspaceId, (trx) =>
          removeTree(trx, deps, root, { isRecursive: true, deletedBy: null }),
        );
      await empty(workspaceId);
    },
    list: ({ id }, page) => listTrash(deps, id, page),
    async completeMoves() {
      for (const id of await workspacesWithTrashMoves(database)) await completeMove(deps, id);
      for (const folder of await foldersMarked(database))
        await betweenMoves(folder.workspaceId, (trx) =>
          removeTree(trx, deps, folder, { isRecursive: true, deletedBy: null }),
        );
    },
  };
}
