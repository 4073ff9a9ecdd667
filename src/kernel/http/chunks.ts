/** Smaller chunks of a body are read together. */
const SMALL_BYTES = 1_024;

/**
 * Await this after each chunk of a body that is read: after a small one, it lasts until the next turn of the event
 * loop, and meanwhile Bun gathers those that follow. A client can send each byte as a chunk (RFC 9112 §7.1), of which
 * each would cost as much as one of 64 KB.
 */
export function gathering(chunk: Uint8Array): Promise<void> | undefined {
  return chunk.byteLength < SMALL_BYTES ? new Promise((resolve) => setImmediate(resolve)) : undefined;
}
