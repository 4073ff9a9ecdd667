import type { Clock } from '../../kernel/clock.ts';
import type { Vault } from '../../kernel/crypto/vault.ts';
import type { Database, Reader, Transaction } from '../../kernel/database/database.ts';
import { newId, newToken } from '../../kernel/ids.ts';
import { copyFile } from './copies.ts';
import { type FoundFile, findFile, type StoredFile } from './file.ts';
import {
  addFile,
  changeFile,
  type FileChange,
  type FileReplacement,
  moveFile,
  type NewFile,
  replaceFile,
} from './file-changes.ts';
import type { Folder } from './folder.ts';
import type { Member } from './member.ts';
import type { Quota } from './quota.ts';
import { listTrash, removeFile, restoreFile } from './trash.ts';
import type { TrashSpace } from './trash-space.ts';
import type { Workspace } from './workspaces.ts';

export const ACCESS_KEY_PURPOSE = 'file access key';

/** The rows of files. A row is written only after its blob is durable. */
export interface Files {
  /** Returns a file of one of the member's workspaces. @throws Problem 404, 403 `role_insufficient` */
  find(reader: Reader, member: Member, id: string): Promise<FoundFile>;
  /** Returns the plain access key, for the owner; null = the file has none. */
  accessKeyOf(file: StoredFile): string | null;
  /** @throws Problem 507 when it does not fit, 404 when the folder was deleted meanwhile */
  add(trx: Transaction, file: NewFile): Promise<StoredFile>;
  /** Replaces the bytes of a file; id, tokens, password and key stay. @throws Problem 404, 507 */
  replace(trx: Transaction, file: StoredFile, replacement: FileReplacement): Promise<StoredFile>;
  /** @throws Problem 404 */
  change(trx: Transaction, file: StoredFile, change: FileChange): Promise<StoredFile>;
  /** Moves a file into another folder, of any workspace. @throws Problem 404, 507 */
  move(trx: Transaction, file: StoredFile, target: Folder): Promise<StoredFile>;
  /** Copies a file into a folder of any workspace. @param by id of the member @throws Problem 404, 507 */
  copy(trx: Transaction, file: StoredFile, target: Folder, by: string): Promise<StoredFile>;
  /** Deletes a file for everyone at once; its owner may restore it for `trashDays`. @throws Problem 404 */
  remove(trx: Transaction, file: StoredFile): Promise<void>;
  /**
   * Restores a deleted file, into the root when its folder is deleted.
   * @throws Problem 404 when there is nothing to restore, 403 `role_insufficient`, 507 when it no longer fits
   */
  restore(trx: Transaction, member: Member, id: string): Promise<StoredFile>;
  /** Returns the files of a workspace that can be restored, the last deleted first. */
  trash(workspace: Workspace, limit: number): Promise<StoredFile[]>;
}

interface FilesDeps {
  database: Database;
  clock: Clock;
  vault: Vault;
  quota: Quota;
  trashSpace: TrashSpace;
  trashDays: number;
  /** Reports whether files of this media type get a thumbnail. */
  isPicture(mimeType: string): boolean;
}

export function createFiles(deps: FilesDeps): Files {
  const { clock, vault } = deps;
  const newAccessKey = (fileId: string) => vault.seal(ACCESS_KEY_PURPOSE, fileId, newToken(18));
  return {
    find: (reader, member, id) => findFile(reader, member, id, 'live'),
    accessKeyOf: (file) => file.accessKey && vault.open(ACCESS_KEY_PURPOSE, file.id, file.accessKey),
    add(trx, file) {
      const id = newId();
      return addFile(trx, deps, file, { id, accessKey: file.withAccessKey ? newAccessKey(id) : null });
    },
    replace: (trx, file, replacement) => replaceFile(trx, deps, file, replacement),
    change: (trx, file, { accessKey, ...change }) =>
      changeFile(
        trx,
        file,
        { ...change, accessKey: accessKey === 'new' ? newAccessKey(file.id) : accessKey },
        clock.now(),
      ),
    move: (trx, file, target) => moveFile(trx, deps, file, target),
    copy: (trx, file, target, by) => copyFile(trx, deps, file, target, by),
    remove: (trx, file) => removeFile(trx, deps, file),
    restore: (trx, member, id) => restoreFile(trx, deps, member, id),
    trash: (workspace, limit) => listTrash(deps, workspace, limit),
  };
}
