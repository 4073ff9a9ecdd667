import { MB } from './bytes.ts';

/** Maximum size of an answer that is kept in memory. */
const MAX_ANSWER_BYTES = MB;

/** The body of a response has more than 1 MB. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
}

/**
 * Requests a URL and returns the response with its whole body.
 * @throws AnswerTooLarge; errors of `fetch`
 */
export async function fetchShort(url: string, init: RequestInit): Promise<Response> {
  const answer = await fetch(url, init);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  // Leaving the loop by an error ends the connection.
  for await (const chunk of answer.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_ANSWER_BYTES)
      throw new AnswerTooLarge(`the answer of ${new URL(url).host} has more than ${MAX_ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  const { status, headers } = answer;
  // `fetch` has unpacked the body.
  for (const name of ['Content-Encoding', 'Content-Length', 'Transfer-Encoding']) headers.delete(name);
  return new Response(answer.body && new Blob(chunks), { status, headers });
}
