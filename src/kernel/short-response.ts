import { MB } from './bytes.ts';

/** Maximum size of a response that is kept in memory. */
const MAX_BYTES = MB;

/** The body of a response has more than 1 MB. */
export class ResponseTooLarge extends Error {
  override readonly name = 'ResponseTooLarge';
}

/**
 * Requests a URL and returns the response with its whole body.
 * @throws ResponseTooLarge; errors of `fetch`
 */
export async function fetchShort(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  // Leaving the loop by an error ends the connection.
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BYTES)
      throw new ResponseTooLarge(`the response of ${new URL(url).host} has more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  const { status, headers } = response;
  // `fetch` has unpacked the body.
  for (const name of ['Content-Encoding', 'Content-Length', 'Transfer-Encoding']) headers.delete(name);
  return new Response(response.body && new Blob(chunks), { status, headers });
}
