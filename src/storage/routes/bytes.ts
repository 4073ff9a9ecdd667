import { z } from '@hono/zod-openapi';
import type { ByteRange, Content } from '../../kernel/content.ts';
import { whenReady } from '../../kernel/event-loop/when-ready.ts';
import { binary } from '../../kernel/http/bodies/request-body.ts';
import { SANDBOX_POLICY, withDefaults } from '../../kernel/http/common-headers.ts';
import { contentDisposition } from '../../kernel/http/content/disposition.ts';
import { httpDate } from '../../kernel/http/content/http-date.ts';
import type { Responses } from '../../kernel/http/describe.ts';
import type { BlobReader } from '../blobs/small.ts';
import type { StoredFile } from '../tree/files/file.ts';
import { mayRedirect } from './redirects.ts';
import { type Representation, sendRepresentation } from './representation.ts';

/** Bytes to send: a file, or a rendition of one. */
export interface StoredBytes
  extends Pick<StoredFile, 'blobKey' | 'sizeBytes' | 'mimeType' | 'originalName' | 'dateModified'> {
  /** Base64 of the SHA-256 of the bytes; null = not known. */
  sha256: string | null;
  /** Undefined = not known. */
  crc32?: number;
}

export interface SendOptions {
  /** Display in the browser instead of saving, for types that cannot run script. */
  inline: boolean;
  /** A secret was required: no cache may store the response. */
  secretUsed: boolean;
  /** The request is anonymous: pages of every origin may embed the response. */
  anonymous: boolean;
  /** Called before bytes are sent in response to a GET. May refuse by throwing. */
  beforeBytes?(): Promise<void> | undefined;
}

/** `?inline=1`: display in the browser, for types that cannot run script. */
export const inlineParam = z
  .literal('1')
  .optional()
  .openapi({ description: 'Display instead of saving, for types that cannot run script' });

/** Header fields of a request for bytes (RFC 9110 §13, §14). */
export const rangeHeaders = z.object({
  Range: z.string().optional().openapi({ description: 'One range of bytes' }),
  'If-Range': z.string().optional(),
  'If-None-Match': z.string().optional(),
  'If-Modified-Since': z.string().optional(),
});

/** The responses of an endpoint that sends bytes of `mediaType`. */
export function bytesResponses(mediaType: string) {
  return {
    200: { description: 'The bytes.', schema: binary, mediaType },
    206: { description: 'The requested range.', schema: binary, mediaType },
    304: { description: 'Not modified.' },
  } as const satisfies Responses;
}

/** The responses of an endpoint that sends the bytes of files. */
export const DOWNLOAD_RESPONSES = {
  ...bytesResponses('application/octet-stream'),
  302: {
    description: 'With POSTHOUSE_S3_REDIRECT: redirect to a URL of the bytes, which expires within a minute.',
  },
} as const satisfies Responses;

export const BYTES_PROBLEMS = ['precondition_failed', 'range_not_satisfiable'] as const;

/** Image types that browsers display without running anything in them. */
const RASTER = new Set([
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/apng',
  'image/bmp',
  'image/x-icon',
]);
// The PDF viewers of browsers need a page that is not sandboxed; scripts and requests are still refused.
const PDF_POLICY = "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; frame-ancestors 'self'";

/**
 * Sends stored bytes, or redirects to them, with their header fields (RFC 9110 §8, §13, §14; RFC 6266; RFC 9530).
 * @throws Problem 412, 416; the errors of `beforeBytes`
 */
export function sendBytes(
  request: Request,
  blobs: Pick<BlobReader, 'read' | 'link'>,
  stored: StoredBytes,
  options: SendOptions,
): Promise<Response> | Response {
  const { blobKey, sizeBytes, crc32 } = stored;
  const { all, representation } = described(stored, options);
  const open = (range: ByteRange | null): Promise<Content | URL> | Content => {
    if (blobs.link && mayRedirect(request.headers, range !== null)) return blobs.link(blobKey, all);
    return blobs.read(blobKey, sizeBytes, range ?? undefined, crc32);
  };
  return sendRepresentation(request, representation, (range) =>
    whenReady(options.beforeBytes?.(), () => open(range)),
  );
}

/** The representation of stored bytes, and the header fields of the responses with them. */
interface Described {
  representation: Representation;
  /** Header fields of a 200 or 206. */
  all: Record<string, string>;
}

/** Results by options, cached as long as their row is (`cacheReads`). */
const built = new WeakMap<StoredBytes, Map<number, Described>>();

function described(stored: StoredBytes, options: SendOptions): Described {
  const { inline, secretUsed, anonymous } = options;
  const key = Number(inline) + 2 * Number(secretUsed) + 4 * Number(anonymous);
  const byOptions = built.getOrInsertComputed(stored, () => new Map<number, Described>());
  return byOptions.getOrInsertComputed(key, () => describe(stored, options));
}

function describe(stored: StoredBytes, { inline, secretUsed, anonymous }: SendOptions): Described {
  const etag = `"${stored.sha256 ?? stored.blobKey}"`;
  const shown = inline ? inlineType(stored.mimeType) : null;
  const headers: Record<string, string> = {
    'Accept-Ranges': 'bytes',
    ETag: etag,
    'Last-Modified': httpDate(stored.dateModified),
    'Cache-Control': secretUsed ? 'no-store' : 'private, no-cache',
    'Content-Security-Policy': shown === 'application/pdf' ? PDF_POLICY : SANDBOX_POLICY,
  };
  if (shown === 'application/pdf') headers['X-Frame-Options'] = 'SAMEORIGIN';
  if (anonymous) headers['Cross-Origin-Resource-Policy'] = 'cross-origin';
  const all: Record<string, string> = {
    ...headers,
    'Content-Type': shown ?? stored.mimeType,
    'Content-Disposition': contentDisposition(shown === null ? 'attachment' : 'inline', stored.originalName),
  };
  if (stored.sha256 !== null) all['Repr-Digest'] = `sha-256=:${stored.sha256}:`;
  const { dateModified: lastModified, sizeBytes: length } = stored;
  return {
    all,
    representation: { etag, lastModified, length, headers, contentHeaders: withDefaults(all).toJSON() },
  };
}

/** The media type for display; null = the type must be saved. */
function inlineType(mimeType: string): string | null {
  // Without `+`: browsers parse every `…+xml` as XML, which can contain script.
  if (RASTER.has(mimeType) || /^(?:audio|video)\/[\w.-]+$/.test(mimeType) || mimeType === 'application/pdf')
    return mimeType;
  return mimeType === 'text/plain' ? 'text/plain; charset=utf-8' : null;
}
