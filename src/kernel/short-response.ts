import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { MB } from './bytes.ts';
import { codeOf } from './errors/code-of.ts';

/** Maximum size of a response that is kept in memory. */
const MAX_BYTES = MB;
const unzip = promisify(gunzip);

/** The body of a response has more than 1 MB. */
export class ResponseTooLarge extends Error {
  override readonly name = 'ResponseTooLarge';
  constructor(url: string) {
    super(`the response of ${new URL(url).host} has more than ${MAX_BYTES} bytes`);
  }
}

/**
 * Requests a URL and returns the response with its whole body.
 * @throws ResponseTooLarge; errors of `fetch`
 */
export async function fetchShort(url: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('Accept-Encoding', 'gzip');
  // `fetch` decompresses without a limit, and 50 KB of zstd can become 1 GB.
  const response = await fetch(url, { ...init, headers, decompress: false });
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  // Leaving the loop by an error ends the connection.
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) throw new ResponseTooLarge(url);
    chunks.push(chunk);
  }
  return await decoded(url, response, Buffer.concat(chunks));
}

/** Returns a response with its content, decoded (RFC 9110 §8.4). */
async function decoded(url: string, response: Response, content: Uint8Array<ArrayBuffer>): Promise<Response> {
  const { status, headers } = response;
  const coding = headers.get('Content-Encoding')?.toLowerCase() ?? 'identity';
  for (const name of ['Content-Encoding', 'Content-Length', 'Transfer-Encoding']) headers.delete(name);
  if (content.length === 0 || coding === 'identity')
    return new Response(response.body && content, { status, headers });
  if (coding !== 'gzip' && coding !== 'x-gzip')
    throw new Error(`the response of ${new URL(url).host} has the content coding ${coding}`);
  try {
    return new Response(await unzip(content, { maxOutputLength: MAX_BYTES }), { status, headers });
  } catch (error) {
    throw codeOf(error) === 'ERR_BUFFER_TOO_LARGE' ? new ResponseTooLarge(url) : error;
  }
}
