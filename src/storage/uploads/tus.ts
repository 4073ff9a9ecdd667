import { DataStore, ERRORS, Server, Upload } from '@tus/server';
import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Signals } from '../../kernel/database/signals.ts';
import { invalidField, notFound, Problem } from '../../kernel/http/problem.ts';
import { newId } from '../../kernel/ids.ts';
import type { Blobs } from '../blobs/port.ts';
import type { Garbage } from '../garbage.ts';
import { CHECKSUM_ALGORITHMS, readChecksum, type UploadChecksum } from './checksum.ts';
import { createLocker } from './locks.ts';
import { readMetadata } from './metadata.ts';
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
  garbage: Garbage;
  /** A name of this process that its next run will have as well. */
  node: string;
  /** The largest file. */
  fileBytes: number;
}

/** One request of the protocol, as it is meant. */
export interface TusRequest {
  /** Also for a POST that says in `X-HTTP-Method-Override` what it would be. */
  method: string;
  accountId: string;
  /** Which upload; null = a new one. */
  uploadId: string | null;
}

/**
 * Speaks tus 1.0.0 (https://tus.io/protocols/resumable-upload) with one person's client. A server of the library is put
 * together for each request, so that the store that it writes to knows whose request it is and which checksum it carries.
 * @throws Problem for every refusal
 */
export function createTus({ database, clock, blobs, signals, uploads, garbage, node, fileBytes }: TusParts) {
  return async function answer(request: Request, { method, accountId, uploadId }: TusRequest): Promise<Response> {
    const owner = `${node} ${newId()}`;
    const checksum = readChecksum(request.headers.get('Upload-Checksum'));
    const metadata = request.headers.get('Upload-Metadata') ?? '';
    let begun: string | null = null;
    let refused: unknown;
    const server = new Server({
      path: UPLOADS_PATH,
      relativeLocation: true,
      datastore: Object.assign(createStore(owner, checksum), {
        async create(upload: Upload) {
          const { id, size = 0 } = upload;
          const wishes = readMetadata(metadata);
          const fileName = wishes.fileName ?? (await uploads.nameOf(accountId, wishes.replaceFileId ?? ''));
          await uploads.begin({ ...wishes, id, accountId, fileName, metadata, sizeBytes: size });
          begun = id;
          return upload;
        },
      }),
      locker: createLocker({ store: uploads.store, signals, clock }, owner),
      lockDrainTimeout: LET_GO_MS,
      maxSize: fileBytes,
      namingFunction: newId,
      getFileIdFromRequest: () => uploadId ?? undefined,
      async onIncomingRequest(_, id) {
        if (uploadId !== null) await uploads.find(accountId, id);
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
    const response = await server.handleWeb(forLibrary(request, method));
    if (response.status >= 400) {
      // Its client never learns where it is: nobody would go on with it, and it would hold its space until its time is over.
      if (begun !== null) await uploads.remove(begun);
      throw refusalOf(refused, response.status, await response.text());
    }
    // Which origins may ask is not for this library to say.
    for (const name of [...response.headers.keys()]) if (name.startsWith('access-control-')) response.headers.delete(name);
    if (method === 'OPTIONS') response.headers.set('Tus-Checksum-Algorithm', CHECKSUM_ALGORITHMS.join(','));
    if (method === 'HEAD' && uploadId !== null) {
      const { metadata: given } = await uploads.find(accountId, uploadId);
      if (given !== '') response.headers.set('Upload-Metadata', given);
    }
    return response;
  };

  function createStore(owner: string, checksum: UploadChecksum | null): DataStore {
    return Object.assign(new DataStore(), {
      extensions: EXTENSIONS,
      getExpiration: () => UPLOAD_MS,

      async getUpload(id: string) {
        const found = await uploads.store.find(database.read, id);
        if (!found) throw ERRORS.FILE_NOT_FOUND;
        const { sizeBytes: size, offset, dateCreated } = found;
        return new Upload({ id, size, offset, creation_date: new Date(dateCreated).toISOString() });
      },

      write: (bytes: AsyncIterable<Uint8Array>, id: string, offset: number) =>
        receiveParts(bytes, {
          blobs,
          garbage,
          offset,
          checksum,
          record: (part) => database.transaction((trx) => uploads.store.addPart(trx, id, owner, part)),
        }),

      remove: (id: string) => uploads.remove(id),
    });
  }
}

/** The request without what the library would judge though it is not for it: headers that proxies write mean nothing here. */
function forLibrary(request: Request, method: string): Request {
  request.headers.delete('X-Forwarded-Proto');
  if (request.method === method) return request;
  const { url, headers, body, signal } = request;
  return new Request(url, { method, headers, body, signal });
}

/** What the library refuses, and what is thrown through it, as one of ours. */
function refusalOf(thrown: unknown, status: number, text: string): unknown {
  if (thrown instanceof Problem) return thrown;
  if (thrown instanceof LockLost || thrown === ERRORS.ABORTED)
    return new Problem('upload_locked', 'Another request writes to this upload.');
  if (status === 404) return notFound();
  if (status === 409) return new Problem('upload_offset_wrong', 'Upload-Offset is not where the upload goes on.');
  if (status === 410) return new Problem('upload_expired', 'The time for this upload is over.');
  if (thrown === ERRORS.ERR_MAX_SIZE_EXCEEDED) return new Problem('file_too_large', 'The file has more bytes than a file may have.');
  // Told by the length of the body beforehand, or counted as they came.
  if (status === 413) return invalidField('body', 'has more bytes than Upload-Length leaves');
  if (thrown === ERRORS.MISSING_OFFSET) return invalidField('Upload-Offset', 'is required');
  if (thrown === ERRORS.INVALID_LENGTH) return invalidField('Upload-Length', 'is required');
  if (thrown === ERRORS.INVALID_CONTENT_TYPE)
    return new Problem('unsupported_media_type', 'The body must be application/offset+octet-stream.');
  const names = /^Invalid (.+)\n$/.exec(text)?.[1]?.split(' ');
  if (names) return new Problem('invalid_request', text.trim(), { errors: names.map((path) => ({ path, message: 'is not valid' })) });
  if (status < 500 || status === 501) return new Problem('invalid_request', text.trim());
  return thrown ?? new Error(`the tus library answered with status ${status}`);
}
