import { MINUTE } from '../../../kernel/clock.ts';
import type { Database, Reader, Transaction } from '../../../kernel/database/database.ts';
import { readNow } from '../../../kernel/database/now.ts';
import type { Log } from '../../../kernel/log.ts';
import { Problem } from '../../../kernel/problem.ts';
import type { LinkUploads, UploadPlace } from '../../links/uploads.ts';
import { replacedBytes } from '../../tree/files/conflicts.ts';
import { lockWorkspace } from '../../tree/lock.ts';
import type { Member } from '../../tree/member.ts';
import type { Quota } from '../../tree/quota.ts';
import type { RequireRoom } from '../../tree/room.ts';
import { fileNamed, nameTaken } from '../../tree/siblings.ts';
import { creditOf } from '../credits.ts';
import { createFinishing, type Finishing, type FinishingDeps } from './finishing.ts';
import { createUploadLocks, type UploadLocks } from './lock-rows.ts';
import { uploadLocked } from './locks.ts';
import type { StoredUpload } from './upload-row.ts';
import {
  createUpload,
  deleteFinished,
  expiredUploads,
  findOfLink,
  findUpload,
  prepareFindOfMember,
  UPLOAD_MS,
  unfinishedUploads,
} from './upload-rows.ts';

/** Time after which an upload is deleted if its address was not sent to a client. */
export const UNADDRESSED_MS = MINUTE;
const AT_ONCE = 50;

/** Properties of an upload that its first request does not set. */
type Derived =
  | 'ownerId'
  | 'isOfLink'
  | 'sender'
  | 'workspaceId'
  | 'offset'
  | 'fileId'
  | 'dateCreated'
  | 'expiresAt';

interface FirstRequest {
  /** Owner of the lock, if the request that creates the upload also sends bytes; null = it does not. */
  writer: string | null;
}

/** The properties of an upload that its first request sets. */
export type NewUpload = Omit<StoredUpload, Derived> & FirstRequest;

/** The properties that the first request of an upload through a link sets. */
export type NewSentUpload = Pick<
  StoredUpload,
  'id' | 'fileName' | 'mediaType' | 'sender' | 'metadata' | 'sizeBytes'
> &
  FirstRequest;

interface UploadsDeps extends Omit<FinishingDeps, 'links'> {
  log: Log;
  quota: Quota;
  links: LinkUploads;
  requireRoom: RequireRoom;
}

/** Uploads in several requests: stored in parts until they are complete, then received like any other file. */
export interface Uploads extends Omit<Finishing, 'discardFinished'> {
  locks: UploadLocks;
  /** Returns an upload that the member began. @throws Problem 404, 403 `role_insufficient` */
  find(member: Member, id: string): Promise<StoredUpload>;
  /** Returns an upload of a link. @throws Problem 404 */
  findSent(linkId: string, id: string): Promise<StoredUpload>;
  /** Returns the name of a file to replace. @throws Problem 404 */
  nameOf(member: Member, fileId: string): Promise<string>;
  /**
   * Begins an upload and reserves its space.
   * @param rootOf the workspace of the folder `root`; undefined = the member's own
   * @throws Problem 404, 403 `role_insufficient`, 507; 503 `unavailable`, as `RequireRoom`; 423 `upload_locked` when
   * it exists
   */
  begin(member: Member, upload: NewUpload, rootOf?: string): Promise<void>;
  /**
   * Begins an upload through a link, and reserves its space and its share of the limits of the link.
   * @throws Problem 404, 410 `upload_limit_reached`, 507; 503 `unavailable`, as `RequireRoom`
   */
  beginSent(place: UploadPlace, upload: NewSentUpload): Promise<void>;
  /** Deletes expired uploads, and finishes complete ones that a dead process left. */
  sweep(): Promise<void>;
}

export function createUploads(deps: UploadsDeps): Uploads {
  const { database, clock, log, files } = deps;
  const locks = createUploadLocks({ database, clock });
  const find = prepareFindOfMember(database);
  const { discardFinished, ...finishing } = createFinishing(deps);
  const { finish, remove } = finishing;

  async function removeExpired(): Promise<void> {
    const ids = await expiredUploads(database, locks.isFree(), AT_ONCE);
    for (const id of ids) await remove(id);
    if (ids.length === AT_ONCE) await removeExpired();
  }

  return {
    locks,
    ...finishing,
    find: (member, id) => find(database.read, member, id),
    findSent: (linkId, id) => findOfLink(database.read, linkId, id),
    nameOf: async (member, fileId) => (await files.find(database.read, member, fileId)).originalName,
    begin: (member, upload, rootOf) => beginUpload(member, { ...upload, rootOf }, deps),
    beginSent: (place, upload) => beginSentUpload(place, upload, deps),
    async sweep() {
      await deleteFinished(database);
      await removeExpired();
      for (const upload of await unfinishedUploads(database, locks.isFree(), AT_ONCE)) {
        // A refusal, such as a full workspace, is normal and retried, so it is not logged as a warning.
        await finish(upload).catch((error) =>
          log[error instanceof Problem ? 'debug' : 'warn'](
            { uploadId: upload.id, error },
            'a complete upload could not be finished',
          ),
        );
      }
      await discardFinished(AT_ONCE);
    },
  };
}

async function beginUpload(
  member: Member,
  { rootOf, writer, ...upload }: NewUpload & { rootOf?: string },
  { database, files, folders, quota, requireRoom }: UploadsDeps,
): Promise<void> {
  const { id, replaceFileId, sizeBytes } = upload;
  const old = replaceFileId === null ? null : await files.find(database.read, member, replaceFileId);
  await requireRoom((old ?? (await placeOf(database.read))).workspaceId, sizeBytes);
  await database.transaction(async (trx) => {
    const { workspaceId, folderId } = old ?? (await placeOf(trx));
    await lockWorkspace(database, trx, workspaceId);
    // A request with the same `Idempotency-Key` was faster.
    if (await findUpload(trx, id)) throw uploadLocked();
    const freed = old?.sizeBytes ?? (await freedByName(trx, folderId, upload));
    const credit = await creditOf(trx, workspaceId, Math.min(freed, sizeBytes));
    const times = await timesOf(database, trx);
    const until = times.dateCreated + UPLOAD_MS;
    await quota.hold(trx, { id, workspaceId, bytes: sizeBytes - credit, until });
    const owner = { ownerId: member.id, isOfLink: false, sender: null };
    const created = { ...upload, ...owner, ...times, workspaceId, folderId, offset: 0, fileId: null };
    await createUpload(trx, database, created, writer);
  });

  async function placeOf(reader: Reader) {
    const { id: folderId, workspaceId } = await folders.find(reader, member, upload.folderId, rootOf);
    return { workspaceId, folderId };
  }
}

/** Properties that visitors of a link cannot choose. */
const OF_LINK = {
  isOfLink: true,
  replaceFileId: null,
  visibility: 0,
  onConflict: 'rename',
  passwordHash: null,
  withAccessKey: false,
  offset: 0,
  fileId: null,
} as const;

async function beginSentUpload(
  place: UploadPlace,
  { writer, ...upload }: NewSentUpload,
  { database, quota, links, requireRoom }: UploadsDeps,
): Promise<void> {
  const { id: folderId, workspaceId } = place.folder;
  await requireRoom(workspaceId, upload.sizeBytes);
  await database.transaction(async (trx) => {
    await lockWorkspace(database, trx, workspaceId);
    if (await findUpload(trx, upload.id)) throw uploadLocked();
    const times = await timesOf(database, trx);
    const until = times.dateCreated + UPLOAD_MS;
    await quota.hold(trx, { id: upload.id, workspaceId, bytes: upload.sizeBytes, until });
    await links.requireWithinLimits(trx, place, upload.sizeBytes);
    const owner = { ...OF_LINK, ownerId: place.link.id };
    const created = { ...upload, ...owner, ...times, workspaceId, folderId };
    await createUpload(trx, database, created, writer);
  });
}

async function timesOf(database: Database, trx: Transaction) {
  const dateCreated = await readNow(database, trx);
  return { dateCreated, expiresAt: dateCreated + UNADDRESSED_MS };
}

/** Returns the size of the file that an upload replaces by its name. @throws Problem 409 `name_taken` */
async function freedByName(
  trx: Transaction,
  folderId: string,
  { fileName, onConflict }: Pick<NewUpload, 'fileName' | 'onConflict'>,
): Promise<number> {
  if (onConflict === 'fail' && (await fileNamed(trx, folderId, fileName, null))) throw nameTaken('file');
  return onConflict === 'replace' ? await replacedBytes(trx, folderId, fileName) : 0;
}
