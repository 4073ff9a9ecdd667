import { Server, type Upload } from '@tus/server';
import type { Clock } from '../../../kernel/clock.ts';
import type { Signals } from '../../../kernel/database/signals.ts';
import { throwUnlessUnavailable } from '../../../kernel/errors/unavailable.ts';
import { nextRound } from '../../../kernel/event-loop/next-round.ts';
import { otherMediaType } from '../../../kernel/http/bodies/read-body.ts';
import { HttpProblem } from '../../../kernel/http/problems/problems.ts';
import { newId } from '../../../kernel/ids.ts';
import { notFound, Problem } from '../../../kernel/problem.ts';
import { requireFreeBytes } from '../../intake/ingest.ts';
import { createLocker } from '../../intake/resumable/locks.ts';
import { addressed, findUpload, UPLOAD_MS } from '../../intake/resumable/upload-rows.ts';
import { CHECKSUM_ALGORITHMS, readChecksum } from './checksum.ts';
import { withoutPassword } from './metadata.ts';
import {
  BYTES_TYPE,
  FILE_ID_HEADER,
  type HandleTus,
  type TusRequest,
  UPLOADS_PATH,
  type UploadOwner,
} from './protocol.ts';
import { refusalOf } from './refusals.ts';
import { createTusStore, type TusStoreDeps } from './store.ts';

/** Time in which a request that must release its lock may still write received bytes. */
const RELEASE_MS = 50;

export interface TusDeps extends TusStoreDeps {
  clock: Clock;
  signals: Signals;
  /** Id of this run of the server, the prefix of the owners of its locks. */
  node: string;
  /** Maximum size of a file. */
  fileBytes: number;
}

/**
 * Handles requests of tus 1.0.0 (https://tus.io/protocols/resumable-upload). Each request gets a new server of the
 * library, whose store is bound to the caller and to the checksum of the request.
 * @throws Problem for every rejected request
 */
export function createTus(deps: TusDeps): HandleTus {
  return async (request, tusRequest) => {
    const { method, owner, uploadId } = tusRequest;
    if (method === 'POST' || method === 'PATCH') requireBytes(request, method);
    const repeat = await answerRepeat(deps, request, tusRequest);
    if (repeat) return repeat;
    const { server, outcome } = createServer(deps, request, tusRequest);
    const response = await server.handleWeb(forLibrary(request, method));
    if (response.status >= 400) {
      // The client never receives its address, so the upload cannot be continued. If it cannot be deleted now, it
      // expires soon.
      if (outcome.begun) await deps.uploads.remove(outcome.begun.id).catch(throwUnlessUnavailable);
      const { status } = response;
      throw refusalOf(outcome.refused, { status, text: await response.text(), fileBytes: deps.fileBytes });
    }
    if (outcome.begun && !outcome.finished && !sendsBytes(request))
      void addressedSoon(deps, outcome.begun.id);
    completeHeaders(response.headers, method);
    if (method === 'HEAD' && uploadId !== null)
      await addMetadata(response.headers, requireOwner(owner), uploadId);
    return response;
  };
}

/**
 * Responds to a repeat of the request that created an upload: without it, a client that lost the response would create
 * another one, and the first would hold its space until it expires. Returns null when there is no such upload.
 * @throws Problem 409 `idempotency_conflict` when the request is different
 */
async function answerRepeat(
  { database }: TusDeps,
  { headers }: Request,
  { owner, newId: id }: TusRequest,
): Promise<Response | null> {
  const found = id === undefined ? null : await findUpload(database.read, id);
  if (!found) return null;
  const metadata = withoutPassword(headers.get('Upload-Metadata') ?? '');
  if (found.metadata !== metadata || String(found.sizeBytes) !== headers.get('Upload-Length'))
    throw new Problem('idempotency_conflict', 'This Idempotency-Key was used with another upload.');
  const earlier = await database.transaction((trx) => addressed(trx, found.id));
  if (!earlier) return null;
  return new Response(null, {
    status: 201,
    headers: {
      Location: requireOwner(owner).pathOf(earlier.id),
      'Upload-Offset': String(earlier.offset),
      'Upload-Expires': new Date(earlier.expiresAt).toUTCString(),
      ...(earlier.fileId === null ? {} : { [FILE_ID_HEADER]: earlier.fileId }),
    },
  });
}

/**
 * Records that the client has the address of an upload, after the response was sent: a process that is killed before
 * then leaves an upload that expires soon.
 */
async function addressedSoon({ database }: TusDeps, id: string): Promise<void> {
  await nextRound();
  await database
    .transaction((trx) => addressed(trx, id))
    // The first part is recorded with it, too.
    .catch(() => {});
}

/** Results that the library reports through callbacks. */
interface TusOutcome {
  /** The new upload; null = none was created. */
  begun: Upload | null;
  /** The upload whose file is stored; null = none. */
  finished: Upload | null;
  /** Error to which the library has responded. */
  refused: unknown;
}

function createServer(
  deps: TusDeps,
  request: Request,
  { owner, uploadId, newId: id }: TusRequest,
): { server: Server; outcome: TusOutcome } {
  const { blobs, uploads } = deps;
  const outcome: TusOutcome = { begun: null, finished: null, refused: undefined };
  const writer = `${deps.node} ${newId()}`;
  const checksum = readChecksum(request.headers.get('Upload-Checksum'));
  const metadata = request.headers.get('Upload-Metadata') ?? '';
  const server = new Server({
    path: UPLOADS_PATH,
    generateUrl: (_, { id }) => requireOwner(owner).pathOf(id),
    datastore: createTusStore(deps, {
      writer,
      checksum,
      async create(upload) {
        const { id, size = 0 } = upload;
        requireFreeBytes(blobs, size);
        await requireOwner(owner).begin({
          id,
          sizeBytes: size,
          metadata,
          writer: sendsBytes(request) ? writer : null,
        });
        outcome.begun = upload;
        return upload;
      },
      unstartedMs: owner?.unstartedMs ?? UPLOAD_MS,
      beforeLast: () => requireOwner(owner).recheck(),
      known: () => outcome.begun ?? outcome.finished,
    }),
    locker: createLocker({ locks: uploads.locks, signals: deps.signals, clock: deps.clock }, writer),
    lockDrainTimeout: RELEASE_MS,
    maxSize: deps.fileBytes,
    namingFunction: () => id ?? newId(),
    getFileIdFromRequest: () => uploadId ?? undefined,
    async onIncomingRequest(_, id) {
      if (uploadId !== null) await requireOwner(owner).find(id);
      requireFreeBytes(blobs, Number(request.headers.get('Content-Length') ?? 0));
    },
    async onUploadFinish(_, upload) {
      const fileId = await uploads.finish(await requireOwner(owner).find(upload.id));
      outcome.finished = upload;
      return { headers: { [FILE_ID_HEADER]: fileId } };
    },
    onResponseError(_, error) {
      outcome.refused = error;
      return undefined;
    },
  });
  return { server, outcome };
}

/** Reports whether a request that creates an upload also sends bytes of it. */
const sendsBytes = ({ headers }: Request) => headers.get('Content-Type') === BYTES_TYPE;

/** @throws Problem 404 for a request without an owner (OPTIONS) */
function requireOwner(owner: UploadOwner | null): UploadOwner {
  if (!owner) throw notFound();
  return owner;
}

/**
 * Checks that a body consists of bytes of the file: the offsets count them, and a content coding changes them (RFC 9110
 * §8.4).
 * @throws Problem 415
 */
function requireBytes({ headers, body }: Request, method: string): void {
  const type = headers.get('Content-Type')?.split(';', 1)[0]?.trim().toLowerCase();
  // Without a type, a chunked body may be empty.
  const isOther = type === undefined ? Number(headers.get('Content-Length') ?? 0) > 0 : body !== null;
  // As the library compares it.
  if (type === BYTES_TYPE) headers.set('Content-Type', BYTES_TYPE);
  else if (isOther) throw otherMediaType(method, [BYTES_TYPE]);
  const coding = headers.get('Content-Encoding')?.trim().toLowerCase() || 'identity';
  if (coding === 'identity') return;
  throw new HttpProblem('unsupported_media_type', 'The body must not have a Content-Encoding.', {
    headers: { 'Accept-Encoding': 'identity' },
  });
}

/** Returns the request without header fields that the library evaluates, such as those of proxies. */
function forLibrary(request: Request, method: string): Request {
  request.headers.delete('X-Forwarded-Proto');
  if (request.method === method) return request;
  const { url, headers, body, signal } = request;
  return new Request(url, { method, headers, body, signal });
}

/** Removes the header fields of CORS, which the routes send, and completes the response to OPTIONS. */
function completeHeaders(headers: Headers, method: string): void {
  for (const name of [...headers.keys()]) if (name.startsWith('access-control-')) headers.delete(name);
  if (method === 'OPTIONS') headers.set('Tus-Checksum-Algorithm', CHECKSUM_ALGORITHMS.join(','));
}

/** Adds the metadata of an upload to the response to HEAD. The store does not pass it to the library. */
async function addMetadata(headers: Headers, owner: UploadOwner, uploadId: string): Promise<void> {
  const { metadata } = await owner.find(uploadId);
  if (metadata !== '') headers.set('Upload-Metadata', metadata);
}
