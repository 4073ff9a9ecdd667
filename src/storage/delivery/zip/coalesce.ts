/**
 * Returns the same bytes with small chunks copied into chunks of up to `size`, so that thousands of headers and small
 * files are not thousands of writes. Passes on chunks of a quarter of `size` and more, which cost more to copy than to
 * send alone. Each chunk is valid until the next is requested.
 */
export async function* coalesce(
  chunks: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const gathered = Buffer.allocUnsafeSlow(size);
  let length = 0;
  for await (const chunk of chunks) {
    const isLarge = chunk.byteLength >= size / 4;
    if (length > 0 && (isLarge || length + chunk.byteLength > size)) {
      yield gathered.subarray(0, length);
      length = 0;
    }
    if (isLarge) {
      yield chunk;
      continue;
    }
    gathered.set(chunk, length);
    length += chunk.byteLength;
  }
  if (length > 0) yield gathered.subarray(0, length);
}
