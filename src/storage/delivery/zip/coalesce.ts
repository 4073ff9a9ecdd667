/** Sizes of the chunks that small ones are copied into. */
export interface ChunkSizes {
  /** Size of the first chunk, for which a client waits; each following one may be twice as large. */
  first: number;
  most: number;
}

/**
 * Returns the same bytes with small chunks copied into larger ones, so that thousands of headers and small files are
 * not thousands of writes. Chunks of at least a quarter of the size are passed on as they are, since copying them costs
 * more than sending them separately. Each chunk is valid until the next is requested.
 */
export async function* coalesce(
  chunks: AsyncIterable<Uint8Array>,
  { first, most }: ChunkSizes,
): AsyncGenerator<Uint8Array, void, undefined> {
  const gathered = Buffer.allocUnsafeSlow(most);
  let size = first;
  let length = 0;
  const grow = () => {
    size = Math.min(size * 2, most);
  };
  for await (const chunk of chunks) {
    const isLarge = chunk.byteLength >= size / 4;
    if (length > 0 && (isLarge || length + chunk.byteLength > size)) {
      yield gathered.subarray(0, length);
      length = 0;
      grow();
    }
    if (isLarge) {
      yield chunk;
      grow();
      continue;
    }
    gathered.set(chunk, length);
    length += chunk.byteLength;
  }
  if (length > 0) yield gathered.subarray(0, length);
}
