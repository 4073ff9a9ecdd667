import { DAY } from '../../kernel/clock.ts';
import type { ByteRange } from '../../kernel/content.ts';
import { Unavailable } from '../../kernel/errors/unavailable.ts';
import { checkedContent } from './checked.ts';
import { createPartMemory, type MemoryLimits } from './part-memory.ts';
import { createPieceMemory } from './piece-memory.ts';
import { type BlobFacts, BlobMissing, type Blobs } from './port.ts';
import {
  type BucketAccess,
  createS3Client,
  NO_SUCH_KEY,
  requireNoSuchKey,
  type S3Client,
  type S3Request,
  s3Unavailable,
  s3UnavailableFrom,
} from './s3-client.ts';
import { S3_LIMITS, type S3Limits } from './s3-limits.ts';
import type { SignLink } from './s3-links.ts';
import { firstPiece, readPieces } from './s3-pieces.ts';
import { deleteObject } from './s3-requests.ts';
import { createObjectWriter } from './s3-writer.ts';
import { contentsOf, textOf } from './s3-xml.ts';

const PREFIX = 'blobs/';
const PAGE = 1_000;
/** Statuses where the key may not list parts, or the server cannot. */
const PARTS_REFUSED: ReadonlySet<number> = new Set([403, 405, 501]);
/** Longer than an upload takes. */
const UNLISTED_MS = DAY;

/** Blobs as objects of an S3 bucket. @param sign null = clients get no URLs of objects */
export function openS3Blobs(
  bucket: BucketAccess,
  limits: S3Limits = S3_LIMITS,
  sign: SignLink | null = null,
  memoryLimits?: MemoryLimits,
): Blobs {
  const send = createS3Client(bucket, limits);
  const pathOf = (key: string) => PREFIX + key;
  const memory = createPartMemory(memoryLimits);
  const pieceMemory = createPieceMemory();
  return {
    create: (key) => createObjectWriter(send, pathOf(key), memory),
    async read(key, size, range, crc32) {
      if (size === 0) {
        // An empty object has no range to request.
        if ((await factsOf(send, pathOf(key)))?.size !== 0) throw new BlobMissing(key);
        return new Uint8Array();
      }
      // The status of the first request shows whether the object exists before any byte of it is passed on.
      const { start, end } = range ?? { start: 0, end: size };
      const deps = (wholeMs?: number) => ({
        request: (piece: ByteRange) => bodyOf(send, pathOf(key), { key, size, wholeMs, ...piece }),
        memory: pieceMemory,
      });
      const first = await firstPiece(deps(limits.requestMs), { start, end });
      const content = start + first.length >= end ? first : readPieces(deps(), first, { start, end });
      return range || crc32 === undefined ? content : checkedContent(content, { key, size, crc32 });
    },
    link: sign ? (key, headers) => sign(pathOf(key), headers) : undefined,
    stat: (key) => factsOf(send, pathOf(key)),
    delete: (key) => deleteObject(send, pathOf(key)),
    list: () => listObjects(send),
    sweepUnfinished: (before) => sweepUploads(send, before),
    freeBytes: () => Number.POSITIVE_INFINITY,
    // A read: buckets do not fill up, and each write costs money.
    async probe() {
      const response = await send({ method: 'GET', path: pathOf('probe') });
      const code = textOf(await response.text(), 'Code');
      const exists = response.status === 200 && response.headers.has('ETag');
      if (!exists && code !== NO_SUCH_KEY) throw s3Unavailable(response.status, code, 'GET');
    },
  };
}

interface Piece extends ByteRange, Pick<S3Request, 'wholeMs'> {
  key: string;
  /** The required size of the whole object. */
  size: number;
}

/** Returns the bytes of a range of an object. @throws BlobMissing, Unavailable */
async function bodyOf(
  send: S3Client,
  path: string,
  { key, size, wholeMs, start, end }: Piece,
): Promise<ReadableStream<Uint8Array>> {
  const headers = { Range: `bytes=${start}-${end - 1}` };
  const response = await send({ method: 'GET', path, headers, wholeMs, expectedBytes: end - start });
  const { status, body } = response;
  if (status === 404) await requireNoSuchKey(response, 'GET');
  if (status === 416) await body?.cancel();
  if (status === 404 || status === 416) throw new BlobMissing(key);
  if (status !== 206 || !body) throw await s3UnavailableFrom(response, 'GET');
  const sent = contentRange(response.headers);
  // Some servers send more than was requested.
  if (sent?.total === size && sent.start === start && sent.end >= end) return body;
  await body.cancel();
  if (sent && sent.total !== size) throw new BlobMissing(key);
  throw new Unavailable('blobs', 'S3 answered with another range of an object than the requested one');
}

async function factsOf(send: S3Client, path: string): Promise<BlobFacts | null> {
  const response = await send({ method: 'HEAD', path });
  if (response.status === 404) {
    // The response to HEAD has no body, thus no code.
    const same = await send({ method: 'GET', path, headers: { Range: 'bytes=0-0' } });
    if (same.status !== 404) throw await s3UnavailableFrom(same, 'GET');
    await requireNoSuchKey(same, 'GET');
    return null;
  }
  if (response.status !== 200) throw await s3UnavailableFrom(response, 'HEAD');
  return {
    size: Number(response.headers.get('Content-Length')),
    dateModified: Date.parse(response.headers.get('Last-Modified') ?? ''),
  };
}

/** Returns the range of a response, with the size of the whole object; null = none (RFC 9110 §14.4). */
function contentRange(headers: Headers): (ByteRange & { total: number }) | null {
  const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers.get('Content-Range') ?? '') ?? [];
  if (total === undefined) return null;
  return { start: Number(first), end: Number(last) + 1, total: Number(total) };
}

async function* listObjects(send: S3Client): AsyncIterable<BlobFacts & { key: string }> {
  const nextPage = createPages('NextContinuationToken');
  let after: string | null = null;
  do {
    const xml = await listing(send, {
      'list-type': '2',
      prefix: PREFIX,
      'max-keys': String(PAGE),
      ...(after === null ? {} : { 'continuation-token': after }),
    });
    for (const object of contentsOf(xml, 'Contents')) {
      yield {
        key: (textOf(object, 'Key') ?? '').slice(PREFIX.length),
        size: Number(textOf(object, 'Size')),
        dateModified: timeIn(object, 'LastModified'),
      };
    }
    after = nextPage(xml);
  } while (after !== null);
}

/** Aborts the multipart uploads of dead processes; their parts are invisible but take space. */
async function sweepUploads(send: S3Client, before: number): Promise<number> {
  const response = await send({ method: 'GET', path: '', query: { uploads: '', prefix: PREFIX } });
  // Not every compatible server can list them.
  if (response.status !== 200) {
    await response.body?.cancel();
    return 0;
  }
  let count = 0;
  for (const upload of contentsOf(await response.text(), 'Upload')) {
    const [path, uploadId] = [textOf(upload, 'Key'), textOf(upload, 'UploadId')];
    const initiated = timeIn(upload, 'Initiated');
    if (!path || !uploadId || !(initiated < before)) continue;
    if (!(await isUnmodified(send, { path, uploadId, initiated, before }))) continue;
    await (await send({ method: 'DELETE', path, query: { uploadId } })).body?.cancel();
    count++;
  }
  return count;
}

interface OldUpload {
  path: string;
  uploadId: string;
  /** Milliseconds since the epoch, like `before`. */
  initiated: number;
  before: number;
}

/**
 * Reports whether every part of an upload was sent before a time: the upload of a slow client may take hours. Where
 * parts cannot be listed, an upload counts as unmodified when it began a day before that time.
 */
async function isUnmodified(
  send: S3Client,
  { path, uploadId, initiated, before }: OldUpload,
): Promise<boolean> {
  const nextPage = createPages('NextPartNumberMarker');
  for (let after: string | null = '0'; after !== null; ) {
    const response = await send({ method: 'GET', path, query: { uploadId, 'part-number-marker': after } });
    if (response.status !== 200) {
      await response.body?.cancel();
      return PARTS_REFUSED.has(response.status) && initiated < before - UNLISTED_MS;
    }
    const xml = await response.text();
    if (!xml.includes('</ListPartsResult>')) return false;
    if (contentsOf(xml, 'Part').some((part) => !(timeIn(part, 'LastModified') < before))) return false;
    after = nextPage(xml);
  }
  return true;
}

/**
 * Returns a function that returns the marker of the next page of a list; null = the page is the last one. It throws
 * Unavailable when the list continues without a new marker, since the list would have no end.
 * @param name element that contains the marker
 */
function createPages(name: string): (xml: string) => string | null {
  const seen = new Set<string>();
  return (xml) => {
    if (textOf(xml, 'IsTruncated') !== 'true') return null;
    const next = textOf(xml, name);
    if (!next || seen.has(next)) throw new Unavailable('blobs', 'S3 does not name the next page of a list');
    seen.add(next);
    return next;
  };
}

/** Returns the time in the first element `name`, ms since the epoch; NaN = there is none. */
function timeIn(xml: string, name: string): number {
  return Date.parse(textOf(xml, name) ?? '');
}

async function listing(send: S3Client, query: S3Request['query']): Promise<string> {
  const response = await send({ method: 'GET', path: '', query });
  if (response.status !== 200) throw await s3UnavailableFrom(response, 'GET');
  const xml = await response.text();
  // Without the end, it was cut, and objects are missing in it.
  if (!xml.includes('</ListBucketResult>')) throw s3Unavailable(response.status, null, 'GET');
  return xml;
}
