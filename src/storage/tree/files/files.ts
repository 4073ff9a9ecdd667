import type { Vault } from '../../../kernel/crypto/vault.ts';
import type { Transaction } from '../../../kernel/database/database.ts';
import { newIdAt, newToken } from '../../../kernel/ids.ts';
import type { Changed } from '../changes.ts';
import type { Folder } from '../folders/folder.ts';
import { lockWorkspace, lockWorkspaces } from '../lock.ts';
import { changeFile, type FileChange } from './changes.ts';
import { type OnConflict, resolveConflict } from './conflicts.ts';
import type { ContentDeps } from './contents.ts';
import {
  createAddFile,
  type FileReplacement,
  type NewFile,
  replaceFile,
  restoreVersion,
} from './contents.ts';
import { copyFile } from './copies.ts';
import type { FindFile, StoredFile } from './file.ts';
import { type NewPosition, placeFile } from './placement.ts';
import { eraseVersion } from './versions.ts';

export const ACCESS_KEY_PURPOSE = 'file access key';

/** The rows of files. A row is written only after its blob is durable. */
export interface Files {
  find: FindFile;
  /** Returns the plain access key, for the owner; null = the file has none. */
  accessKeyOf(file: StoredFile): string | null;
  /**
   * Adds a file, or replaces the bytes of one with its name if `onConflict` is `replace`.
   * @throws Problem 507 when it does not fit, 404 when the folder was deleted meanwhile, 409 `name_taken`
   */
  add(trx: Transaction, file: NewFile): Promise<StoredFile>;
  /** Replaces the bytes of a file; id, tokens, password and key stay. @throws Problem 404, 507 */
  replace(trx: Transaction, file: StoredFile, replacement: FileReplacement): Promise<StoredFile>;
  /** Changes the settings of a file that was read with its workspace locked. @throws Problem 404 */
  change(trx: Transaction, file: StoredFile, change: FileChange): Promise<StoredFile>;
  /**
   * Copies a file into a folder of any workspace; with `replace`, its bytes only.
   * @throws Problem 404, 409 `name_taken`, 507
   */
  copy(trx: Transaction, file: StoredFile, target: Folder, options: CopyOptions): Promise<StoredFile>;
  /**
   * Moves a file into another folder, of any workspace, and renames it.
   * @returns the file that has its bytes now: with `replace` that may be another
   * @throws Problem 404, 409 `name_taken`, 507
   */
  place(trx: Transaction, file: StoredFile, position: NewPosition): Promise<StoredFile>;
  /** Restores the bytes of a version of the file. @param by id of the member @throws Problem 404, 507 */
  restoreVersion(trx: Transaction, file: StoredFile, versionId: string, by: string): Promise<StoredFile>;
  /** @throws Problem 404 */
  eraseVersion(trx: Transaction, file: StoredFile, versionId: string): Promise<void>;
}

interface CopyOptions {
  onConflict: OnConflict;
  /** Id of the member. */
  by: string;
}

interface FilesDeps extends ContentDeps {
  vault: Vault;
  /** Called when the password or the access key of a file changes. */
  secretsChanged(trx: Transaction, fileId: string): Promise<void>;
  changed: Changed;
}

export function createFiles(deps: FilesDeps): Files {
  const { database, clock, vault, rows } = deps;
  const addFile = createAddFile(deps);
  const newAccessKey = (fileId: string) => vault.seal(ACCESS_KEY_PURPOSE, fileId, newToken(18));
  const noted = (trx: Transaction, file: StoredFile) => {
    deps.changed(trx, file.workspaceId, file.folderId);
    return file;
  };

  async function change(trx: Transaction, file: StoredFile, { accessKey, ...rest }: FileChange) {
    const sealed = accessKey === 'new' ? newAccessKey(file.id) : accessKey;
    const changed = await changeFile(trx, file, { ...rest, accessKey: sealed }, clock.now());
    if (rest.passwordHash !== undefined || accessKey !== undefined) await deps.secretsChanged(trx, file.id);
    return noted(trx, changed);
  }

  return {
    find: rows.findFile,
    accessKeyOf: (file) => file.accessKey && vault.open(ACCESS_KEY_PURPOSE, file.id, file.accessKey),
    async add(trx, file) {
      const { folder, originalName, onConflict, content, reservationId } = file;
      await lockWorkspace(database, trx, folder.workspaceId);
      const naming = { folderId: folder.id, name: originalName, fileId: null, onConflict };
      const { name, replacesId } = await resolveConflict(trx, naming);
      if (replacesId === null) {
        const id = newIdAt(clock.now());
        const accessKey = file.withAccessKey ? newAccessKey(id) : null;
        return noted(trx, await addFile(trx, { ...file, originalName: name }, { id, accessKey }));
      }
      const target = { id: replacesId, workspaceId: folder.workspaceId };
      const replaced = await replaceFile(trx, deps, target, { content, reservationId, by: file.by });
      return await change(trx, replaced, {
        by: file.by,
        visibility: file.visibility,
        passwordHash: file.passwordHash ?? undefined,
        accessKey: file.withAccessKey ? 'new' : undefined,
      });
    },
    replace: async (trx, file, replacement) => noted(trx, await replaceFile(trx, deps, file, replacement)),
    change,
    restoreVersion: async (trx, file, versionId, by) =>
      noted(trx, await restoreVersion(trx, deps, file, { versionId, by })),
    async eraseVersion(trx, file, versionId) {
      deps.trashSpace.expectErasure();
      await eraseVersion(trx, deps, file, versionId);
      noted(trx, file);
    },
    async place(trx, file, position) {
      noted(trx, file);
      return noted(trx, await placeFile(trx, deps, file, position));
    },
    async copy(trx, file, target, { onConflict, by }) {
      await lockWorkspaces(database, trx, [file.workspaceId, target.workspaceId]);
      const naming = { folderId: target.id, name: file.originalName, fileId: null, onConflict };
      const { name, replacesId } = await resolveConflict(trx, naming);
      if (replacesId === null) return noted(trx, await copyFile(trx, deps, file, { target, name, by }));
      const content = await rows.requireFile(trx, file);
      const replaced = { id: replacesId, workspaceId: target.workspaceId };
      return noted(trx, await replaceFile(trx, deps, replaced, { content, reservationId: null, by }));
    },
  };
}
