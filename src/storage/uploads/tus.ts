import { DataStore, ERRORS, Server, Upload } from '@tus/server';
import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Signals } from '../../kernel/database/signals.ts';
import { invalidField, notFound, Problem } from '../../kernel/http/problem.ts';
import { isId, newId } from '../../kernel/ids.ts';
import type { Blobs } from '../blobs/port.ts';
import { readFileName } from '../names.ts';
import { CHECKSUM_ALGORITHMS, readChecksum, type UploadChecksum } from './checksum.ts';
import { createLocker } from './locks.ts';
import { receiveParts } from './parts.ts';
import { LockLost } from './store.ts';
import { UPLOAD_MS, type Uploads } from './uploads.ts';

export const UPLOADS_PATH = '/api/storage/uploads';
export const FILE_ID_HEADER = 'Posthouse-File-Id';
const EXTENSIONS = ['creation', 'creation-with-upload', 'termination', 'expiration', 'checksum'];
/** How long a request that was asked to let go may go on writing what it has. */
const LET_GO_MS = 50;

interface TusParts {
  database: Database;
  clock: Clock;
  blobs: Blobs;
  signals: Signals;
  uploads: Uploads;
  /** The largest file. */
  fileBytes: number;
}

/**
 * Speaks tus 1.0.0 (https://tus.io/protocols/resumable-upload) with one person's client. A server of the library is put
 * together for each request, so that the store that it writes to knows whose request it is and which checksum it carries.
 * @throws Problem for every refusal
 */
export function createTus({ database, clock, blobs, signals, uploads, fileBytes }: TusParts) {
  return async function answer(request: Request, accountId: string): Promise<Response> {
    const owner = newId();
    const checksum = readChecksum(request.headers.get('Upload-Checksum'));
    let refused: unknown;
    const server = new Server({
      path: UPLOADS_PATH,
      relativeLocation: true,
      datastore: createStore(accountId, owner, checksum),
      locker: createLocker({ store: uploads.store, signals, clock }, owner),
      lockDrainTimeout: LET_GO_MS,
      maxSize: fileBytes,
      namingFunction: newId,
      getFileIdFromRequest: (_, last) => (last !== undefined && isId(last) ? last : undefined),
      async onIncomingRequest({ method }, id) {
        if (method !== 'POST') await uploads.find(accountId, id);
      },
      async onUploadFinish(_, { id }) {
        const fileId = await uploads.finish(await uploads.find(accountId, id));
        return { headers: { [FILE_ID_HEADER]: fileId } };
      },
      onResponseError(_, error) {
        refused = error;
        return undefined;
      },
    });
    const response = await server.handleWeb(request);
    if (response.status >= 400) throw refusalOf(refused, response.status, await response.text());
    // Which origins may ask is not for this library to say.
    for (const name of [...response.headers.keys()]) if (name.startsWith('access-control-')) response.headers.delete(name);
    if (request.method === 'OPTIONS') response.headers.set('Tus-Checksum-Algorithm', CHECKSUM_ALGORITHMS.join(','));
    return response;
  };

  function createStore(accountId: string, owner: string, checksum: UploadChecksum | null): DataStore {
    return Object.assign(new DataStore(), {
      extensions: EXTENSIONS,
      getExpiration: () => UPLOAD_MS,

      async create(upload: Upload) {
        const { id, size = 0, metadata = {} } = upload;
        await uploads.begin({ id, accountId, sizeBytes: size, metadata, ...(await readMetadata(accountId, metadata)) });
        return upload;
      },

      async getUpload(id: string) {
        const found = await uploads.store.find(database.read, id);
        if (!found) throw ERRORS.FILE_NOT_FOUND;
        return new Upload({
          id,
          size: found.sizeBytes,
          offset: found.offset,
          metadata: Object.keys(found.metadata).length > 0 ? found.metadata : undefined,
          creation_date: new Date(found.dateCreated).toISOString(),
        });
      },

      write: (bytes: AsyncIterable<Uint8Array>, id: string, offset: number) =>
        receiveParts(bytes, {
          blobs,
          offset,
          checksum,
          record: (parts) => database.transaction((trx) => uploads.store.addParts(trx, id, owner, parts)),
        }),

      remove: (id: string) => uploads.remove(id),
    });
  }

  /** @throws Problem 400 that names the key, 404 for a folder or file that is not the account's */
  async function readMetadata(accountId: string, metadata: Record<string, string | null>) {
    const { folderId = 'root', replaceFileId = null, visibility = '0', filetype = null } = metadata;
    if (folderId === null || (folderId !== 'root' && !isId(folderId)))
      throw invalidField('folderId', 'must be the id of a folder, or root');
    if (replaceFileId !== null && !isId(replaceFileId)) throw invalidField('replaceFileId', 'must be the id of a file');
    if (visibility !== '0' && visibility !== '1') throw invalidField('visibility', 'must be 0 (private) or 1 (public)');
    const name = metadata.filename ?? (replaceFileId === null ? null : await uploads.nameOf(accountId, replaceFileId));
    if (name === null) throw invalidField('filename', 'is required');
    return {
      folderId,
      replaceFileId,
      visibility: Number(visibility),
      fileName: readFileName(name, 'filename'),
      mediaType: filetype?.split(';', 1)[0]?.trim().toLowerCase() || null,
    };
  }
}

/** What the library refuses, and what is thrown through it, as one of ours. */
function refusalOf(thrown: unknown, status: number, text: string): unknown {
  if (thrown instanceof Problem) return thrown;
  if (thrown instanceof LockLost || thrown === ERRORS.ABORTED)
    return new Problem('upload_locked', 'Another request writes to this upload.');
  if (status === 404) return notFound();
  if (status === 409) return new Problem('upload_offset_wrong', 'Upload-Offset is not where the upload goes on.');
  if (status === 410) return new Problem('upload_expired', 'The time for this upload is over.');
  if (thrown === ERRORS.ERR_SIZE_EXCEEDED) return invalidField('body', 'has more bytes than Upload-Length leaves');
  if (status === 413) return new Problem('file_too_large', 'The file has more bytes than a file may have.');
  if (thrown === ERRORS.INVALID_CONTENT_TYPE)
    return new Problem('unsupported_media_type', 'The body must be application/offset+octet-stream.');
  if (status < 500 || status === 501) return new Problem('invalid_request', text.trim());
  return thrown ?? new Error(`the tus library answered with status ${status}`);
}
