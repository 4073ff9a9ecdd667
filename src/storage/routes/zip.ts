import { SANDBOX_POLICY, withDefaults } from '../../kernel/http/common-headers.ts';
import { contentDisposition } from '../../kernel/http/content/disposition.ts';
import { Problem } from '../../kernel/problem.ts';
import type { FolderExport } from '../delivery/export.ts';
import { coalesce } from '../delivery/zip/coalesce.ts';
import { continued } from '../delivery/zip/continued.ts';
import { PathTooLong } from '../delivery/zip/zip.ts';
import { BYTES_PROBLEMS, bytesResponses } from './bytes.ts';
import type { Recheck } from './recheck.ts';
import { sendRepresentation } from './representation.ts';

/** A small first chunk, so that the response begins before hundreds of small files are read. */
const CHUNKS = { first: 4_096, most: 131_072 };

/** Responses of an endpoint that ends with `sendZip`. */
export const ZIP_RESPONSES = {
  ...bytesResponses('application/zip'),
  204: { description: 'The folder contains no files.' },
} as const;
/** Codes of `sendZip` and of laying out a ZIP file. */
export const ZIP_PROBLEMS = ['path_too_long', 'folder_too_large', 'rate_limited', ...BYTES_PROBLEMS] as const;

interface ZipOptions {
  /** File name without extension. */
  name: string;
  /** A secret was required: no cache may store the response. */
  secretUsed: boolean;
  /** Called before bytes are sent in response to a GET. May refuse by throwing. */
  beforeBytes?(): Promise<void> | undefined;
  /** Called before each chunk; ends the response by throwing. */
  recheck: Recheck;
}

/**
 * Sends a ZIP file; 204 when there is no file for it.
 * @throws Problem 409 `path_too_long` and `folder_too_large`, 412, 416
 */
export async function sendZip(
  request: Request,
  layOut: () => Promise<FolderExport | null>,
  { name, secretUsed, beforeBytes, recheck }: ZipOptions,
): Promise<Response> {
  const exported = await layOut().catch((error) => {
    if (error instanceof PathTooLong) throw new Problem('path_too_long', error.message);
    throw error;
  });
  if (!exported) return new Response(null, { status: 204 });
  const { etag, length } = exported;
  const headers = {
    ETag: etag,
    'Accept-Ranges': 'bytes',
    'Cache-Control': secretUsed ? 'no-store' : 'private, no-cache',
    'Content-Security-Policy': SANDBOX_POLICY,
  };
  const zip = {
    etag,
    // Removals of files leave no date, so the tag is the only validator.
    lastModified: null,
    length,
    headers,
    contentHeaders: withDefaults({
      ...headers,
      'Content-Type': 'application/zip',
      'Content-Disposition': contentDisposition('attachment', `${name}.zip`),
    }).toJSON(),
  };
  return await sendRepresentation(request, zip, async (range) => {
    await beforeBytes?.();
    const { start, end } = range ?? { start: 0, end: length };
    const readFrom = (position: number) => coalesce(exported.read(position, end), CHUNKS);
    return checked(continued(readFrom, start), recheck);
  });
}

/** Passes the chunks on, and calls `recheck` before each. @throws the errors of `recheck` */
async function* checked(
  chunks: AsyncIterable<Uint8Array>,
  recheck: Recheck,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of chunks) {
    await recheck();
    yield chunk;
  }
}
