import { chunksIn } from '../../../kernel/content.ts';
import type { Database } from '../../../kernel/database/database.ts';
import type { Holds } from '../../../kernel/holds.ts';
import { notFound, Problem } from '../../../kernel/problem.ts';
import { BlobMissing, type Blobs } from '../../blobs/port.ts';
import type { LinkUploads } from '../../links/uploads.ts';
import type { StoredFile } from '../../tree/file.ts';
import type { Files } from '../../tree/files.ts';
import type { Folders } from '../../tree/folders.ts';
import { memberOf } from '../../tree/member.ts';
import type { TrashSpace } from '../../tree/trash/space.ts';
import type { Intake } from '../ingest.ts';
import type { Completion, Receiver } from '../receiver.ts';
import { discard } from './discard.ts';
import type { UploadPart } from './part-rows.ts';
import type { UploadStore } from './store.ts';
import type { StoredUpload } from './upload-row.ts';

export interface FinishingDeps {
  database: Database;
  blobs: Blobs;
  files: Files;
  folders: Folders;
  trashSpace: Pick<TrashSpace, 'discard'>;
  receiver: Receiver;
  holds: Holds;
  store: UploadStore;
  links: Pick<LinkUploads, 'placeOf' | 'add'>;
  /** Called after a file with new bytes is committed. */
  stored(file: StoredFile): void;
}

/** Creates files from complete uploads, and deletes uploads with their bytes. */
export interface Finishing {
  /** Creates the file of a complete upload and returns its id. Idempotent. @throws Problem 404, 403, 413, 507 */
  finish(upload: StoredUpload): Promise<string>;
  /** Deletes an upload with its bytes and frees its space. */
  remove(id: string): Promise<void>;
}

/** Codes of problems that a later attempt cannot avoid. */
const FINAL_CODES = new Set<string>(['not_found', 'role_insufficient', 'name_taken', 'upload_limit_reached']);

export function createFinishing(deps: FinishingDeps): Finishing {
  const { database, store } = deps;
  /** Uploads that this process is finishing; concurrent requests share the work. */
  const underWay = new Map<string, Promise<string>>();

  async function remove(id: string): Promise<void> {
    const parts = await store.parts(database.read, id);
    const workspaceId = await database.transaction((trx) => store.remove(trx, id));
    // Otherwise, another request has removed it and discards its parts.
    if (workspaceId !== null) await discard(workspaceId, parts, deps);
  }

  async function becomeFile(upload: StoredUpload): Promise<string> {
    const parts = await store.parts(database.read, upload.id);
    try {
      const file = await makeFile(upload, parts, deps);
      deps.stored(file);
      await discard(upload.workspaceId, parts, deps);
      return file.id;
    } catch (error) {
      const current = await store.find(database.read, upload.id);
      // Another request may have finished or deleted it.
      if (!current) throw notFound();
      if (current.fileId !== null) return current.fileId;
      // Its folder or link, the file to replace, its owner's access or some of its bytes are gone, or its name is
      // taken: it can never become a file.
      if (error instanceof BlobMissing || (error instanceof Problem && FINAL_CODES.has(error.code)))
        await remove(upload.id);
      throw error;
    }
  }

  return {
    remove,
    async finish(upload) {
      if (upload.fileId !== null) return upload.fileId;
      const known = underWay.get(upload.id);
      if (known) return await known;
      const work = becomeFile(upload).finally(() => underWay.delete(upload.id));
      underWay.set(upload.id, work);
      return await work;
    },
  };
}

async function makeFile(
  upload: StoredUpload,
  parts: readonly UploadPart[],
  deps: FinishingDeps,
): Promise<StoredFile> {
  const { blobs, receiver, store } = deps;
  const { freedBytes, save } = await (upload.isOfLink ? sending : upload.replaceFileId ? replacing : adding)(
    upload,
    deps,
  );
  const incoming = {
    workspaceId: upload.workspaceId,
    freedBytes,
    bodyBytes: upload.sizeBytes,
    reservationId: upload.id,
  };
  return await receiver.receive(incoming, async (intake) => {
    for (const part of parts) await copy(part, blobs, intake);
    return {
      hint: { mediaType: upload.mediaType, fileName: upload.fileName },
      async commit(trx, content, reservationId) {
        const file = await save(trx, content, reservationId);
        if (!(await store.becameFile(trx, upload.id, file.id))) throw notFound();
        return file;
      },
    };
  });
}

/** The transaction that creates the file of an upload, and the bytes that it frees. */
interface Saving {
  freedBytes: number;
  save: Completion['commit'];
}

async function replacing(upload: StoredUpload, { database, files }: FinishingDeps): Promise<Saving> {
  const { ownerId: by, replaceFileId } = upload;
  const old = await files.find(database.read, memberOf(by, 'editor'), replaceFileId ?? '');
  return {
    freedBytes: old.sizeBytes,
    save: (trx, content, reservationId) => files.replace(trx, old, { content, reservationId, by }),
  };
}

async function adding(upload: StoredUpload, { database, files, folders }: FinishingDeps): Promise<Saving> {
  const { fileName: originalName, visibility, passwordHash, withAccessKey, onConflict, ownerId: by } = upload;
  const folder = await folders.find(database.read, memberOf(by, 'editor'), upload.folderId);
  const file = { folder, originalName, visibility, passwordHash, withAccessKey, onConflict, by };
  return {
    freedBytes: 0,
    save: (trx, content, reservationId) => files.add(trx, { ...file, content, reservationId }),
  };
}

async function sending(upload: StoredUpload, { links }: FinishingDeps): Promise<Saving> {
  const { fileName: originalName, sender } = upload;
  const place = await links.placeOf(upload.ownerId);
  return {
    freedBytes: 0,
    save: (trx, content, reservationId) =>
      links.add(trx, place, { originalName, sender, content, reservationId }),
  };
}

async function copy({ blobKey, size }: UploadPart, blobs: Blobs, intake: Intake): Promise<void> {
  const body = await blobs.read(blobKey, size);
  for await (const chunk of chunksIn(body)) await intake.write(chunk);
}
