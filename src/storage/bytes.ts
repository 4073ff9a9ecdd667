import { evaluatePreconditions, httpDate, rangeApplies } from '../kernel/http/conditional.ts';
import { contentDisposition } from '../kernel/http/disposition.ts';
import { Problem } from '../kernel/http/problem.ts';
import { contentRange, parseRange } from '../kernel/http/ranges.ts';
import type { BlobBody } from './blobs/port.ts';
import type { BlobReader } from './blobs/small.ts';

/** Bytes that are to be sent, with what their headers say. */
export interface Representation {
  blobKey: string;
  sizeBytes: number;
  mimeType: string;
  fileName: string;
  /** Base64 of the bytes' SHA-256; null = not known. */
  sha256: string | null;
  /** Strong, with its quotes. */
  etag: string;
  /** Milliseconds since the epoch. */
  lastModified: number;
}

export interface SendingWishes {
  /** Show it in the browser rather than save it, where that can do no harm. */
  inline: boolean;
  /** A secret was shown for it: nothing on the way may keep it. */
  secretUsed: boolean;
  /** For strangers, so for pages of every origin. */
  anonymous: boolean;
  /** Called once it is sure that bytes will be sent in answer to a GET. May refuse by throwing. */
  beforeBytes?(): Promise<void>;
}

/** Types that a browser can show without running anything of theirs. */
const RASTER = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif', 'image/apng', 'image/bmp', 'image/x-icon']);
const SANDBOX = "default-src 'none'; sandbox";
// Browsers' own viewers of PDF need a page that is not sandboxed; scripts and requests are still refused.
const PDF_POLICY = "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; frame-ancestors 'self'";

/**
 * The answer that carries a file: preconditions, one range, and every header that its bytes ask for
 * (RFC 9110 §8, §13, §14; RFC 6266; RFC 9530).
 * @throws Problem 412, 416, and whatever `beforeBytes` throws
 */
export async function sendBytes(request: Request, blobs: BlobReader, what: Representation, wishes: SendingWishes): Promise<Response> {
  const headers = headersOf(what, wishes);
  const precondition = evaluatePreconditions(request.headers, what);
  if (precondition === 'not_modified') return new Response(null, { status: 304, headers: withoutContent(headers) });
  if (precondition === 'failed') throw new Problem('precondition_failed', 'The file is not in the state that the request names.');
  if (request.method === 'HEAD') {
    // A range is defined for GET alone (RFC 9110 §14.2).
    return new Response(null, { headers: { ...headers, 'Content-Length': String(what.sizeBytes) } });
  }
  const asked = rangeApplies(request.headers, what) ? parseRange(request.headers.get('Range'), what.sizeBytes) : 'whole';
  if (asked === 'unsatisfiable') {
    throw new Problem('range_not_satisfiable', `The file has ${what.sizeBytes} bytes.`, {
      headers: { 'Content-Range': `bytes */${what.sizeBytes}`, 'Accept-Ranges': 'bytes' },
    });
  }
  await wishes.beforeBytes?.();
  if (asked === 'whole') {
    const body = await blobs.read(what.blobKey, what.sizeBytes);
    return answer(request.headers.has('Range') ? await unranged(body) : body, what.sizeBytes, 200, headers);
  }
  const body = await blobs.read(what.blobKey, what.sizeBytes, asked);
  return answer(body, asked.end - asked.start, 206, { ...headers, 'Content-Range': contentRange(asked, what.sizeBytes) });
}

function answer(body: BlobBody | Uint8Array<ArrayBuffer>, length: number, status: number, headers: Record<string, string>): Response {
  return new Response(body, { status, headers: { ...headers, 'Content-Length': String(length) } });
}

/** Small enough to be read at once. */
const SMALL = 1_048_576;

/**
 * Bun cuts a range out of any file that it is given to send with status 200, by rules of its own. Where a range was asked for
 * and is not to be served, it must not see a file.
 */
async function unranged(body: BlobBody): Promise<BlobBody | Uint8Array<ArrayBuffer>> {
  if (!(body instanceof Blob)) return body;
  if (body.size <= SMALL) return await body.bytes();
  const reader = body.stream().getReader();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

function headersOf(what: Representation, { inline, secretUsed, anonymous }: SendingWishes): Record<string, string> {
  const shown = inline ? inlineType(what.mimeType) : null;
  return {
    'Content-Type': shown ?? what.mimeType,
    'Content-Disposition': contentDisposition(shown === null ? 'attachment' : 'inline', what.fileName),
    'Accept-Ranges': 'bytes',
    ETag: what.etag,
    'Last-Modified': httpDate(what.lastModified),
    ...(what.sha256 === null ? {} : { 'Repr-Digest': `sha-256=:${what.sha256}:` }),
    'Cache-Control': secretUsed ? 'no-store' : 'private, no-cache',
    'Content-Security-Policy': shown === 'application/pdf' ? PDF_POLICY : SANDBOX,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    ...(shown === 'application/pdf' ? { 'X-Frame-Options': 'SAMEORIGIN' } : {}),
    ...(anonymous ? { 'Cross-Origin-Resource-Policy': 'cross-origin' } : {}),
  };
}

/** The type under which a file may be shown; null = it must be saved. */
function inlineType(mimeType: string): string | null {
  // Without `+`: browsers read every `…+xml` as XML, whose elements may be scripts.
  if (RASTER.has(mimeType) || /^(?:audio|video)\/[\w.-]+$/.test(mimeType) || mimeType === 'application/pdf') return mimeType;
  return mimeType === 'text/plain' ? 'text/plain; charset=utf-8' : null;
}

/** RFC 9110 §15.4.5: of what a 200 would say, what keeps a cache right. */
function withoutContent(headers: Record<string, string>): Record<string, string> {
  const { 'Content-Type': _type, 'Content-Disposition': _disposition, 'Repr-Digest': _digest, ...rest } = headers;
  return rest;
}
