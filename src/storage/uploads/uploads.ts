import { type Clock, DAY } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Holds } from '../../kernel/holds.ts';
import { notFound, Problem } from '../../kernel/http/problem.ts';
import { describeError, type Log } from '../../kernel/log.ts';
import { BlobMissing, type Blobs } from '../blobs/port.ts';
import type { StoredFile } from '../file.ts';
import type { Files } from '../files.ts';
import type { Folders } from '../folders.ts';
import type { Intake } from '../ingest.ts';
import type { Quota } from '../quota.ts';
import type { Receiver } from '../receive.ts';
import { BLOBS_HELD } from '../sweeper.ts';
import { createUploadStore, type StoredUpload, type UploadStore } from './store.ts';

/** How long an upload may take, from its beginning. */
export const UPLOAD_MS = DAY;
const AT_ONCE = 50;

/** What the client says at the beginning. */
export type NewUpload = Omit<StoredUpload, 'workspaceId' | 'offset' | 'fileId' | 'dateCreated' | 'expiresAt'>;

interface UploadsParts {
  database: Database;
  clock: Clock;
  blobs: Blobs;
  log: Log;
  files: Files;
  folders: Folders;
  quota: Quota;
  receiver: Receiver;
  holds: Holds;
  /** Called after a file with new bytes is committed. */
  stored(file: StoredFile): void;
}

export interface Uploads {
  store: UploadStore;
  /** @throws Problem 404 for another's */
  find(accountId: string, id: string): Promise<StoredUpload>;
  /** The name of a file that is to get other bytes. @throws Problem 404 */
  nameOf(accountId: string, fileId: string): Promise<string>;
  /** Begins one, and holds the space that it will need. @throws Problem 404, 507 */
  begin(upload: NewUpload): Promise<void>;
  /** Makes a file of an upload that is whole; gives the file's id. Done twice it changes nothing. @throws Problem 404, 413, 507 */
  finish(upload: StoredUpload): Promise<string>;
  /** Forgets one and gives its space back. */
  remove(id: string): Promise<void>;
  /** Forgets those whose time is over, and finishes what a process that died left whole. */
  sweep(): Promise<void>;
}

/** Uploads that come in several requests: kept in parts until they are whole, then taken in like any other file. */
export function createUploads({ database, clock, blobs, log, files, folders, quota, receiver, holds, stored }: UploadsParts): Uploads {
  const store = createUploadStore({ database, clock });

  const ownOld = ({ accountId, replaceFileId }: Pick<StoredUpload, 'accountId' | 'replaceFileId'>) =>
    replaceFileId === null ? null : files.find(database.read, accountId, replaceFileId);

  async function remove(id: string): Promise<void> {
    const parts = await store.parts(database.read, id);
    await database.transaction((trx) => store.remove(trx, id));
    await discard(parts);
  }

  /** Deletes bytes that no row names any more. A backup that saw their rows holds by now: then they are the sweeper's. */
  async function discard(parts: readonly { blobKey: string }[]): Promise<void> {
    if (await holds.isHeld(database.read, BLOBS_HELD)) return;
    await Promise.all(parts.map(({ blobKey }) => blobs.delete(blobKey)));
  }

  /** Those that are being finished here: whoever asks meanwhile waits for the same. */
  const finishing = new Map<string, Promise<string>>();

  async function finish(upload: StoredUpload): Promise<string> {
    if (upload.fileId !== null) return upload.fileId;
    const underWay = finishing.get(upload.id);
    if (underWay) return await underWay;
    const work = becomeFile(upload).finally(() => finishing.delete(upload.id));
    finishing.set(upload.id, work);
    return await work;
  }

  async function becomeFile(upload: StoredUpload): Promise<string> {
    const parts = await store.parts(database.read, upload.id);
    try {
      const file = await takeIn(upload, parts);
      stored(file);
      await discard(parts);
      return file.id;
    } catch (error) {
      const current = await store.find(database.read, upload.id);
      // Another request may have been faster, or has given it up.
      if (!current) throw notFound();
      if (current.fileId !== null) return current.fileId;
      // Its folder, the file that it was to replace, or some of its bytes are gone: it cannot become anything any more.
      if (error instanceof BlobMissing || (error instanceof Problem && error.code === 'not_found')) await remove(upload.id);
      throw error;
    }
  }

  async function takeIn(upload: StoredUpload, parts: readonly { blobKey: string; size: number }[]): Promise<StoredFile> {
    const [old, folder] = await Promise.all([
      ownOld(upload),
      upload.replaceFileId === null ? folders.find(database.read, upload.accountId, upload.folderId) : null,
    ]);
    const incoming = {
      workspaceId: upload.workspaceId,
      freedBytes: old?.sizeBytes ?? 0,
      bodyBytes: upload.sizeBytes,
      reservationId: upload.id,
    };
    return await receiver.receive(incoming, async (intake) => {
      for (const part of parts) await copy(part, intake);
      return {
        hint: { mediaType: upload.mediaType, fileName: upload.fileName },
        async commit(trx, content, reservationId) {
          const originalName = upload.fileName;
          const { visibility } = upload;
          const file = old
            ? await files.replace(trx, old, { content, originalName, reservationId })
            : await files.add(trx, {
                folder: folder ?? raise(notFound()),
                originalName,
                content,
                visibility,
                passwordHash: null,
                withAccessKey: false,
                reservationId,
              });
          if (!(await store.becameFile(trx, upload.id, file.id))) throw notFound();
          return file;
        },
      };
    });
  }

  async function copy({ blobKey, size }: { blobKey: string; size: number }, intake: Intake): Promise<void> {
    const body = await blobs.read(blobKey, size);
    for await (const chunk of body instanceof Blob ? body.stream() : body) await intake.write(chunk);
  }

  return {
    store,
    finish,
    remove,

    async find(accountId, id) {
      const upload = await store.find(database.read, id);
      if (upload?.accountId !== accountId) throw notFound();
      return upload;
    },

    nameOf: async (accountId, fileId) => (await files.find(database.read, accountId, fileId)).originalName,

    async begin(upload) {
      const old = await ownOld(upload);
      const now = clock.now();
      await database.transaction(async (trx) => {
        const workspaceId = old?.workspaceId ?? (await folders.find(trx, upload.accountId, upload.folderId)).workspaceId;
        await quota.hold(trx, upload.id, workspaceId, Math.max(0, upload.sizeBytes - (old?.sizeBytes ?? 0)), now + UPLOAD_MS);
        await store.create(trx, { ...upload, workspaceId, offset: 0, fileId: null, dateCreated: now, expiresAt: now + UPLOAD_MS });
      });
    },

    async sweep() {
      for (const id of await store.expired(AT_ONCE)) await remove(id);
      for (const upload of await store.unfinished(AT_ONCE)) {
        // One that the workspace has no room for is tried again, and is nothing to wake anybody for.
        await finish(upload).catch((error) =>
          log[error instanceof Problem ? 'debug' : 'warn'](
            { uploadId: upload.id, error: describeError(error) },
            'an upload became no file',
          ),
        );
      }
    },
  };
}

function raise(error: Error): never {
  throw error;
}
