import { SECOND } from '../../../kernel/clock.ts';
import { repeatWithPauses } from '../../../kernel/database/batches.ts';
import type { Reader, Transaction } from '../../../kernel/database/database.ts';
import { notFound } from '../../../kernel/problem.ts';
import type { StoredFile } from '../files/file.ts';
import { type Folder, findRoot } from '../folders/folder.ts';
import { requireNotRoot } from '../folders/rules.ts';
import type { Member } from '../member.ts';
import { eraseFile, removeFile, restoreFile } from './files.ts';
import { completeLeftovers } from './leftovers.ts';
import { listTrash, type TrashPage } from './list.ts';
import { completeMove, createWhileSettled } from './moves.ts';
import { createFindDeleted, type Deleted } from './tree.ts';
import { eraseTree, type OnRestoreConflict, removeTree, restoreTree, type TrashDeps } from './trees.ts';

/** Time for which a change waits for other folders of its workspace that are being deleted or restored. */
const MAX_WAIT_MS = 8 * SECOND;

/** The kind, the name and the folder of a restored item. */
export interface Restored {
  kind: 'file' | 'folder';
  name: string;
  folderId: string;
}

/** Deleted files and folders. A deleted folder is one entry with everything in it, which cannot be changed. */
export interface Trash {
  /** Moves a file to the trash, for everyone immediately. @throws Problem 404 */
  removeFile(trx: Transaction, file: StoredFile, deletedBy: string): Promise<void>;
  /**
   * Moves a folder with everything in it to the trash, in several transactions, the first of which hides it.
   * @throws Problem 404, 403, 409 `root_folder`, `folder_not_empty`, 503
   */
  removeFolder(
    find: (reader: Reader) => Promise<Folder>,
    options: { isRecursive: boolean; deletedBy: string },
  ): Promise<void>;
  /**
   * Moves an entry, or one file of a deleted folder, back to its place. Folders above it that are gone are created
   * again. @throws Problem 404, 403, 409 `name_taken`, `folder_too_deep`, `folder_full`, 507 when it no longer
   * fits, 503
   */
  restore(member: Member, id: string, onConflict: OnRestoreConflict): Promise<Restored>;
  /** As `restore`, for files only. */
  restoreFile(member: Member, id: string, onConflict: OnRestoreConflict): Promise<StoredFile>;
  /** Erases an entry. @throws Problem 404, 403, 503 */
  erase(member: Member, id: string): Promise<void>;
  /** Erases all entries of a workspace. @throws Problem 404, 403, 503 */
  empty(find: (reader: Reader) => Promise<{ id: string }>): Promise<void>;
  /**
   * Erases all content of a workspace, with its root, and all entries. Each transaction that erases calls `isDue` with
   * the workspace locked, and erases nothing when it returns false.
   */
  eraseAll(workspaceId: string, isDue: (reader: Reader) => Promise<boolean>): Promise<void>;
  /** Returns a page of the entries of a workspace, the last deleted first. @throws Problem 400 */
  list(workspace: { id: string }, page: { limit: number; cursor?: string }): Promise<TrashPage>;
  /**
   * Completes the moves that a killed process left, and the deletions of older programs without trees. Moves
   * copies of folders that a killed process left incomplete to the trash.
   */
  completeLeftovers(): Promise<void>;
}

export function createTrash(deps: TrashDeps, maxWaitMs = MAX_WAIT_MS): Trash {
  const { database, trashSpace, changed } = deps;
  const findDeleted = createFindDeleted(database);
  const whileSettled = createWhileSettled(deps, maxWaitMs);

  /** Changes an item between moves, after it is found again in the transaction. @throws Problem 404, 403, 503 */
  async function withFound<Found extends { workspaceId: string }, Result>(
    find: (reader: Reader) => Promise<Found>,
    work: (trx: Transaction, found: Found) => Promise<Result>,
  ): Promise<Result> {
    const { workspaceId } = await find(database.read);
    return await whileSettled(workspaceId, async (trx) => {
      const found = await find(trx);
      if (found.workspaceId !== workspaceId) throw notFound();
      return await work(trx, found);
    });
  }

  async function empty(trx: Transaction, workspaceId: string): Promise<void> {
    // Includes entries deleted in this millisecond; the next deletion has a later time.
    await trashSpace.erase(trx, workspaceId, await trashSpace.deletionTime(trx, workspaceId));
    changed(trx, workspaceId, null);
  }

  async function restoreFound(trx: Transaction, file: StoredFile, onConflict: OnRestoreConflict) {
    const restored = await restoreFile(trx, deps, file, onConflict);
    changed(trx, restored.workspaceId, restored.folderId);
    return restored;
  }

  return {
    async removeFile(trx, file, deletedBy) {
      await removeFile(trx, deps, file, deletedBy);
      changed(trx, file.workspaceId, file.folderId);
    },
    async removeFolder(find, options) {
      const findBelowRoot = async (reader: Reader) => {
        const folder = await find(reader);
        requireNotRoot(folder);
        return folder;
      };
      await withFound(findBelowRoot, async (trx, folder) => {
        await removeTree(trx, deps, folder, options);
        for (const id of [folder.parentId, folder.id]) changed(trx, folder.workspaceId, id);
      });
    },
    restore: (member, id, onConflict) =>
      withFound<Deleted, Restored>(
        (reader) => findDeleted.entry(reader, member, id),
        async (trx, found) => {
          if ('file' in found) {
            const { originalName, folderId } = await restoreFound(trx, found.file, onConflict);
            return { kind: 'file', name: originalName, folderId };
          }
          const { name, parentId } = await restoreTree(trx, deps, found.tree, onConflict);
          changed(trx, found.workspaceId, parentId);
          return { kind: 'folder', name, folderId: parentId };
        },
      ),
    restoreFile: (member, id, onConflict) =>
      withFound(
        (reader) => findDeleted.file(reader, member, id),
        (trx, file) => restoreFound(trx, file, onConflict),
      ),
    erase: (member, id) =>
      repeatWithPauses(() =>
        withFound<Deleted, boolean>(
          (reader) => findDeleted.entry(reader, member, id),
          async (trx, found) => {
            if ('file' in found && (await eraseFile(trx, deps, found.file))) return true;
            if ('tree' in found) await eraseTree(trx, deps, found.tree);
            changed(trx, found.workspaceId, null);
            return false;
          },
        ),
      ),
    async empty(find) {
      const { id } = await find(database.read);
      await whileSettled(id, async (trx) => empty(trx, (await find(trx)).id));
    },
    async eraseAll(workspaceId, isDue) {
      await completeMove(deps, workspaceId);
      const root = await findRoot(database.read, workspaceId);
      if (root)
        await whileSettled(workspaceId, async (trx) => {
          if (await isDue(trx)) await removeTree(trx, deps, root, { isRecursive: true, deletedBy: null });
        });
      await whileSettled(workspaceId, async (trx) => {
        if (await isDue(trx)) await empty(trx, workspaceId);
      });
    },
    list: ({ id }, page) => listTrash(deps, id, page),
    completeLeftovers: () => completeLeftovers(deps, whileSettled),
  };
}
