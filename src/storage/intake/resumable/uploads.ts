import { type Clock, DAY } from '../../../kernel/clock.ts';
import type { Database, Transaction } from '../../../kernel/database/database.ts';
import { readNow } from '../../../kernel/database/now.ts';
import { describeError, type Log } from '../../../kernel/log.ts';
import { Problem } from '../../../kernel/problem.ts';
import { replacedBytes } from '../../tree/conflicts.ts';
import type { Files } from '../../tree/files.ts';
import type { Folders } from '../../tree/folders.ts';
import type { Member } from '../../tree/member.ts';
import type { Quota } from '../../tree/quota.ts';
import { fileNamed, nameTaken } from '../../tree/siblings.ts';
import { createFinishing, type Finishing, type FinishingDeps } from './finishing.ts';
import { createUploadStore, type StoredUpload, type UploadStore } from './store.ts';

/** Time from the beginning of an upload to its expiry. */
export const UPLOAD_MS = DAY;
const AT_ONCE = 50;

/** The properties of an upload that its first request sets. */
export type NewUpload = Omit<
  StoredUpload,
  'memberId' | 'workspaceId' | 'offset' | 'fileId' | 'dateCreated' | 'expiresAt'
>;

interface UploadsDeps extends Omit<FinishingDeps, 'store'> {
  clock: Clock;
  log: Log;
  quota: Quota;
}

/** Uploads in several requests: stored in parts until they are complete, then received like any other file. */
export interface Uploads extends Finishing {
  store: UploadStore;
  /** Returns an upload that the member began. @throws Problem 404, 403 `role_insufficient` */
  find(member: Member, id: string): Promise<StoredUpload>;
  /** Returns the name of a file to replace. @throws Problem 404 */
  nameOf(member: Member, fileId: string): Promise<string>;
  /**
   * Begins an upload and reserves its space.
   * @param rootOf the workspace of the folder `root`; undefined = the member's own
   * @throws Problem 404, 403 `role_insufficient`, 507
   */
  begin(member: Member, upload: NewUpload, rootOf?: string): Promise<void>;
  /** Deletes expired uploads, and finishes those that a dead process left complete. */
  sweep(): Promise<void>;
}

export function createUploads(deps: UploadsDeps): Uploads {
  const { database, clock, log, files } = deps;
  const store = createUploadStore({ database, clock });
  const { finish, remove } = createFinishing({ ...deps, store });
  return {
    store,
    finish,
    remove,
    find: (member, id) => store.findOf(database.read, member, id),
    nameOf: async (member, fileId) => (await files.find(database.read, member, fileId)).originalName,
    begin: (member, upload, rootOf) => beginUpload(member, { ...upload, rootOf }, { ...deps, store }),
    async sweep() {
      for (const id of await store.expired(AT_ONCE)) await remove(id);
      for (const upload of await store.unfinished(AT_ONCE)) {
        // A refusal, such as a full workspace, is normal and retried; it is no warning.
        await finish(upload).catch((error) =>
          log[error instanceof Problem ? 'debug' : 'warn'](
            { uploadId: upload.id, error: describeError(error) },
            'a complete upload could not be finished',
          ),
        );
      }
    },
  };
}

interface BeginDeps {
  database: Database;
  files: Files;
  folders: Folders;
  quota: Quota;
  store: UploadStore;
}

async function beginUpload(
  member: Member,
  { rootOf, ...upload }: NewUpload & { rootOf?: string },
  { database, files, folders, quota, store }: BeginDeps,
): Promise<void> {
  const { id, replaceFileId, sizeBytes } = upload;
  const old = replaceFileId === null ? null : await files.find(database.read, member, replaceFileId);
  await database.transaction(async (trx) => {
    const now = await readNow(database, trx);
    const expiresAt = now + UPLOAD_MS;
    const { workspaceId, folderId } = old ?? (await placeOf(trx, member));
    const freed = old?.sizeBytes ?? (await freedByName(trx, folderId, upload));
    const newBytes = Math.max(0, sizeBytes - freed);
    await quota.hold(trx, id, workspaceId, newBytes, expiresAt);
    const place = { memberId: member.id, workspaceId, folderId };
    await store.create(trx, { ...upload, ...place, offset: 0, fileId: null, dateCreated: now, expiresAt });
  });

  async function placeOf(trx: Transaction, member: Member) {
    const { id: folderId, workspaceId } = await folders.find(trx, member, upload.folderId, rootOf);
    return { workspaceId, folderId };
  }
}

/** Returns the size of the file that an upload replaces by its name. @throws Problem 409 `name_taken` */
async function freedByName(
  trx: Transaction,
  folderId: string,
  { fileName, onConflict }: NewUpload,
): Promise<number> {
  if (onConflict === 'fail' && (await fileNamed(trx, folderId, fileName, null))) throw nameTaken('file');
  return onConflict === 'replace' ? await replacedBytes(trx, folderId, fileName) : 0;
}
