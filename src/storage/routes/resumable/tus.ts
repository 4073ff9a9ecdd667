import { DataStore, ERRORS, Server, Upload } from '@tus/server';
import type { Clock } from '../../../kernel/clock.ts';
import type { Database } from '../../../kernel/database/database.ts';
import type { Signals } from '../../../kernel/database/signals.ts';
import { otherMediaType } from '../../../kernel/http/body.ts';
import { newId } from '../../../kernel/ids.ts';
import { invalidField, notFound, Problem } from '../../../kernel/problem.ts';
import type { Blobs } from '../../blobs/port.ts';
import type { Garbage } from '../../intake/garbage.ts';
import { requireFreeBytes } from '../../intake/ingest.ts';
import { createLocker, uploadLocked } from '../../intake/resumable/locks.ts';
import { LockLost } from '../../intake/resumable/part-rows.ts';
import { receiveParts, SMALL_PARTS } from '../../intake/resumable/parts.ts';
import { UPLOAD_MS, type Uploads } from '../../intake/resumable/uploads.ts';
import { CHECKSUM_ALGORITHMS, readChecksum, type UploadChecksum } from './checksum.ts';
import { type AnswerTus, FILE_ID_HEADER, UPLOADS_PATH } from './protocol.ts';

const EXTENSIONS = ['creation', 'creation-with-upload', 'termination', 'expiration', 'checksum'];
/** Time in which a request that must release its lock may still write received bytes. */
const RELEASE_MS = 50;

export interface TusDeps {
  database: Database;
  clock: Clock;
  blobs: Blobs;
  signals: Signals;
  uploads: Uploads;
  garbage: Garbage;
  /** Name of this process, the same after a restart. */
  node: string;
  /** Maximum size of a file. */
  fileBytes: number;
}

/**
 * Handles requests of tus 1.0.0 (https://tus.io/protocols/resumable-upload). Each request gets a new server of the
 * library, whose store is bound to the caller and to the checksum of the request.
 * @throws Problem for every rejected request
 */
export function createTus({
  database,
  clock,
  blobs,
  signals,
  uploads,
  garbage,
  node,
  fileBytes,
}: TusDeps): AnswerTus {
  return async (request, { method, owner, uploadId }) => {
    const caller = () => {
      if (!owner) throw notFound();
      return owner;
    };
    const writer = `${node} ${newId()}`;
    const checksum = readChecksum(request.headers.get('Upload-Checksum'));
    const metadata = request.headers.get('Upload-Metadata') ?? '';
    let begun: string | null = null;
    let refused: unknown;
    const server = new Server({
      path: UPLOADS_PATH,
      generateUrl: (_, { id }) => caller().pathOf(id),
      datastore: Object.assign(
        createStore(writer, checksum, () => caller().recheck()),
        {
          async create(upload: Upload) {
            const { id, size = 0 } = upload;
            requireFreeBytes(blobs, size);
            await caller().begin({ id, sizeBytes: size, metadata });
            begun = id;
            return upload;
          },
        },
      ),
      locker: createLocker({ store: uploads.store, signals, clock }, writer),
      lockDrainTimeout: RELEASE_MS,
      maxSize: fileBytes,
      namingFunction: newId,
      getFileIdFromRequest: () => uploadId ?? undefined,
      async onIncomingRequest(_, id) {
        if (uploadId !== null) await caller().find(id);
        requireFreeBytes(blobs, Number(request.headers.get('Content-Length') ?? 0));
      },
      async onUploadFinish(_, { id }) {
        const fileId = await uploads.finish(await caller().find(id));
        return { headers: { [FILE_ID_HEADER]: fileId } };
      },
      onResponseError(_, error) {
        refused = error;
        return undefined;
      },
    });
    const response = await server.handleWeb(forLibrary(request, method));
    if (response.status >= 400) {
      // The client never receives its address, so the upload could not be continued and would hold its space until
      // it expires.
      if (begun !== null) await uploads.remove(begun);
      throw refusalOf(refused, response.status, await response.text());
    }
    // CORS is not left to the library.
    for (const name of [...response.headers.keys()])
      if (name.startsWith('access-control-')) response.headers.delete(name);
    if (method === 'OPTIONS') response.headers.set('Tus-Checksum-Algorithm', CHECKSUM_ALGORITHMS.join(','));
    if (method === 'HEAD' && uploadId !== null) {
      const { metadata: given } = await caller().find(uploadId);
      if (given !== '') response.headers.set('Upload-Metadata', given);
    }
    return response;
  };

  function createStore(
    writer: string,
    checksum: UploadChecksum | null,
    beforeLast: () => Promise<void>,
  ): DataStore {
    return Object.assign(new DataStore(), {
      extensions: EXTENSIONS,
      getExpiration: () => UPLOAD_MS,

      async getUpload(id: string) {
        const found = await uploads.store.find(database.read, id);
        if (!found) throw ERRORS.FILE_NOT_FOUND;
        const { sizeBytes: size, offset, expiresAt } = found;
        // The library adds `getExpiration` to it.
        const creation_date = new Date(expiresAt - UPLOAD_MS).toISOString();
        return new Upload({ id, size, offset, creation_date });
      },

      write: async (bytes: AsyncIterable<Uint8Array>, id: string, offset: number) =>
        receiveParts(bytes, {
          blobs,
          garbage,
          offset,
          total: (await uploads.store.find(database.read, id))?.sizeBytes ?? 0,
          hasManyParts: () => uploads.store.hasParts(database.read, id, SMALL_PARTS),
          checksum,
          beforeLast,
          record: (part) => database.transaction((trx) => uploads.store.addPart(trx, id, writer, part)),
        }),

      remove: (id: string) => uploads.remove(id),
    });
  }
}

/** Returns the request without header fields that the library evaluates, such as those of proxies. */
function forLibrary(request: Request, method: string): Request {
  request.headers.delete('X-Forwarded-Proto');
  if (request.method === method) return request;
  const { url, headers, body, signal } = request;
  return new Request(url, { method, headers, body, signal });
}

/** Refusals by the error of the library, or by its status. */
const REFUSALS = new Map<unknown, () => Problem>([
  [ERRORS.ABORTED, uploadLocked],
  [ERRORS.ERR_MAX_SIZE_EXCEEDED, () => new Problem('file_too_large', 'The file exceeds the size limit.')],
  [ERRORS.MISSING_OFFSET, () => invalidField('Upload-Offset', 'is required')],
  [ERRORS.INVALID_LENGTH, () => invalidField('Upload-Length', 'is required')],
  [ERRORS.INVALID_CONTENT_TYPE, () => otherMediaType('PATCH', ['application/offset+octet-stream'])],
  [404, notFound],
  [409, () => new Problem('upload_offset_wrong', 'Upload-Offset is not the current offset of the upload.')],
  [410, () => new Problem('upload_expired', 'The upload has expired.')],
  // By the declared length of the body, or by the received bytes.
  [413, () => invalidField('body', 'must not exceed the bytes remaining to Upload-Length')],
]);

/** Converts errors of the library, and errors thrown through it, to a `Problem` where there is one. */
function refusalOf(thrown: unknown, status: number, text: string): unknown {
  if (thrown instanceof Problem) return thrown;
  if (thrown instanceof LockLost) return uploadLocked();
  const refusal = REFUSALS.get(thrown) ?? REFUSALS.get(status);
  if (refusal) return refusal();
  const names = /^Invalid (.+)\n$/.exec(text)?.[1]?.split(' ');
  if (!names && status >= 500 && status !== 501)
    return thrown ?? new Error(`the tus library answered with status ${status}`);
  const fields = names?.map((path) => ({ path, message: 'is not valid' }));
  return new Problem('invalid_request', text.trim(), { fields });
}
