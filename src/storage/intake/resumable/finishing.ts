import { createCache } from '../../../kernel/cache.ts';
import { type Clock, MINUTE } from '../../../kernel/clock.ts';
import { chunksIn } from '../../../kernel/content.ts';
import { repeatWithPauses } from '../../../kernel/database/batches.ts';
import type { Transaction } from '../../../kernel/database/database.ts';
import { notFound, Problem } from '../../../kernel/problem.ts';
import { BlobMissing, type Blobs } from '../../blobs/port.ts';
import type { LinkUploads } from '../../links/uploads.ts';
import { replacedBytes } from '../../tree/files/conflicts.ts';
import type { StoredFile } from '../../tree/files/file.ts';
import type { Files } from '../../tree/files/files.ts';
import type { Folders } from '../../tree/folders/folders.ts';
import { memberOf } from '../../tree/member.ts';
import { type Quota, workspaceFull } from '../../tree/quota.ts';
import type { Intake } from '../ingest.ts';
import type { Completion, Receiver } from '../receiver.ts';
import { type DiscardDeps, discard } from './discard.ts';
import { partsFrom, takeLastParts, type UploadPart } from './part-rows.ts';
import type { StoredUpload } from './upload-row.ts';
import { becameFile, deleteUpload, findUpload, finishedWithParts } from './upload-rows.ts';

export interface FinishingDeps extends DiscardDeps {
  files: Files;
  folders: Folders;
  receiver: Receiver;
  clock: Clock;
  quota: Pick<Quota, 'freeBytes'>;
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
  /** Deletes the parts of uploads that have become files. */
  discardFinished(limit: number): Promise<void>;
}

/** Codes of problems that a later attempt cannot avoid. */
const FINAL_CODES = new Set<string>(['not_found', 'role_insufficient', 'name_taken', 'upload_limit_reached']);

/** Minimum time between two copies of the bytes of an upload that did not fit after the first copy. */
const PAUSE_MS = MINUTE;
const REFUSALS_KEPT = 10_000;

export function createFinishing(deps: FinishingDeps): Finishing {
  const { database, clock } = deps;
  /** Uploads that this process is finishing; concurrent requests share the work. */
  const underWay = new Map<string, Promise<string>>();
  /** Refusals of uploads that fitted before their bytes were copied, and not afterwards. */
  const refusals = createCache<Problem>({ max: REFUSALS_KEPT, expiry: { ttlMs: PAUSE_MS, clock } });

  async function makeFile(upload: StoredUpload): Promise<StoredFile> {
    const refusal = refusals.get(upload.id);
    if (refusal) throw refusal;
    const saving = await savingOf(upload, deps);
    await requireSpace(upload, saving, deps);
    return await saveParts(upload, { ...deps, saving }).catch((error) => {
      if (error instanceof Problem && error.code === 'quota_exceeded') refusals.set(upload.id, error);
      throw error;
    });
  }

  /** @param atEnd called in the transaction that deletes the last rows of parts */
  async function discardParts(upload: StoredUpload, atEnd = async (_: Transaction) => {}): Promise<void> {
    await repeatWithPauses(async () => {
      const { parts, isLast } = await database.transaction(async (trx) => {
        const taken = await takeLastParts(trx, upload.id);
        if (taken.isLast) await atEnd(trx);
        return taken;
      });
      await discard(upload.workspaceId, parts, deps);
      return !isLast;
    });
  }

  async function remove(id: string): Promise<void> {
    const upload = await findUpload(database.read, id);
    if (upload) await discardParts(upload, (trx) => deleteUpload(trx, id));
  }

  async function becomeFile(upload: StoredUpload): Promise<string> {
    try {
      const file = await makeFile(upload);
      deps.stored(file);
      await discardParts(upload);
      return file.id;
    } catch (error) {
      const current = await findUpload(database.read, upload.id);
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
    async discardFinished(limit) {
      for (const upload of await finishedWithParts(database, limit)) await discardParts(upload);
    },
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

/** Copies the parts of an upload into one blob, and creates its file. */
async function saveParts(
  upload: StoredUpload,
  { saving, ...deps }: FinishingDeps & { saving: Saving },
): Promise<StoredFile> {
  const { workspaceId, freedBytes, save } = saving;
  const incoming = {
    workspaceId,
    freedBytes,
    bodyBytes: upload.sizeBytes,
    reservationId: upload.id,
  };
  return await deps.receiver.receive(incoming, async (intake) => {
    for await (const part of partsOf(upload, deps)) await copy(part, deps.blobs, intake);
    return {
      hint: { mediaType: upload.mediaType, fileName: upload.fileName },
      async commit(trx, content, reservationId) {
        const file = await save(trx, content, reservationId);
        if (!(await becameFile(trx, upload.id, file.id))) throw notFound();
        return file;
      },
    };
  });
}

/** Returns the parts of a complete upload in order. @throws Problem 404 when another request deletes or finishes it */
async function* partsOf({ id, sizeBytes }: StoredUpload, { database }: FinishingDeps) {
  let at = 0;
  while (at < sizeBytes) {
    const parts = await partsFrom(database.read, id, at);
    if (parts.length === 0) throw notFound();
    for (const part of parts) {
      if (part.start !== at) throw notFound();
      yield part;
      at += part.size;
    }
  }
}

/** The transaction that creates the file of an upload. */
interface Saving {
  /** The workspace of the file: its folder may have moved since the upload began. */
  workspaceId: string;
  /** Size of the file that it replaces. */
  freedBytes: number;
  save: Completion['commit'];
}

function savingOf(upload: StoredUpload, deps: FinishingDeps): Promise<Saving> {
  if (upload.isOfLink) return sending(upload, deps);
  return upload.replaceFileId === null ? adding(upload, deps) : replacing(upload, deps);
}

/** Checks that a file fits, before its bytes are copied. @throws Problem 507 `quota_exceeded` */
async function requireSpace(
  { id, sizeBytes }: StoredUpload,
  { workspaceId, freedBytes }: Saving,
  { quota }: FinishingDeps,
): Promise<void> {
  if ((await quota.freeBytes(workspaceId, id)) + freedBytes < sizeBytes) throw workspaceFull();
}

async function replacing(upload: StoredUpload, { database, files }: FinishingDeps): Promise<Saving> {
  const { ownerId: by, replaceFileId } = upload;
  const old = await files.find(database.read, memberOf(by, 'editor'), replaceFileId ?? '');
  return {
    workspaceId: old.workspaceId,
    freedBytes: old.sizeBytes,
    save: (trx, content, reservationId) => files.replace(trx, old, { content, reservationId, by }),
  };
}

async function adding(upload: StoredUpload, { database, files, folders }: FinishingDeps): Promise<Saving> {
  const { fileName: originalName, visibility, passwordHash, withAccessKey, onConflict, ownerId: by } = upload;
  const folder = await folders.find(database.read, memberOf(by, 'editor'), upload.folderId);
  const file = { folder, originalName, visibility, passwordHash, withAccessKey, onConflict, by };
  return {
    workspaceId: folder.workspaceId,
    freedBytes: onConflict === 'replace' ? await replacedBytes(database.read, folder.id, originalName) : 0,
    save: (trx, content, reservationId) => files.add(trx, { ...file, content, reservationId }),
  };
}

async function sending(upload: StoredUpload, { links }: FinishingDeps): Promise<Saving> {
  const { fileName: originalName, sender } = upload;
  const place = await links.placeOf(upload.ownerId);
  return {
    workspaceId: place.folder.workspaceId,
    freedBytes: 0,
    save: (trx, content, reservationId) =>
      links.add(trx, place, { originalName, sender, content, reservationId }),
  };
}

async function copy({ blobKey, size, crc32 }: UploadPart, blobs: Blobs, intake: Intake): Promise<void> {
  const body = await blobs.read(blobKey, size, undefined, crc32 ?? undefined);
  for await (const chunk of chunksIn(body)) await intake.write(chunk);
}
