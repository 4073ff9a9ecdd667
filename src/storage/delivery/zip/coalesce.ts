/**
 * Returns the same bytes with small chunks merged into chunks of `size` at least, so that thousands of headers and
 * small files are not thousands of writes. Passes larger chunks on without a copy.
 */
export async function* coalesce(
  chunks: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let waiting: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    if (chunk.byteLength < size) {
      // Its memory is valid until the next one is requested.
      waiting.push(new Uint8Array(chunk));
      length += chunk.byteLength;
      if (length < size) continue;
    }
    if (length > 0) yield Buffer.concat(waiting);
    if (chunk.byteLength >= size) yield chunk;
    waiting = [];
    length = 0;
  }
  if (length > 0) yield Buffer.concat(waiting);
}
