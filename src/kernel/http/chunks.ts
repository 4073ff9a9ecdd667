/** Smaller chunks of a body are read together. */
const SMALL_BYTES = 1_024;

/**
 * Await the result after reading each chunk of a body. After a small chunk, it resolves in the next turn of the event
 * loop, and meanwhile Bun gathers the chunks that follow. A client can send each byte as a chunk (RFC 9112 §7.1), each
 * of which would cost as much as one of 64 KB.
 */
export function letChunksGather(chunk: Uint8Array): Promise<void> | undefined {
  return chunk.byteLength < SMALL_BYTES ? new Promise((resolve) => setImmediate(resolve)) : undefined;
}
