/** Bytes, or chunks of bytes. A chunk is valid until the next one is requested; copy it to keep it. */
export type Content = Uint8Array<ArrayBuffer> | AsyncIterable<Uint8Array>;

/** Returns the chunks of `content`, each valid until the next one is requested. */
export function chunksIn(content: Content): Iterable<Uint8Array> | AsyncIterable<Uint8Array> {
  return content instanceof Uint8Array ? [content] : content;
}

/** Returns all bytes of `content`, which must be short enough for memory. */
export async function bytesIn(content: Content): Promise<Uint8Array<ArrayBuffer>> {
  if (content instanceof Uint8Array) return content;
  const copies: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of content) copies.push(new Uint8Array(chunk));
  return await new Blob(copies).bytes();
}

/** The bytes from `start` up to, but not including, `end`. */
export interface ByteRange {
  start: number;
  end: number;
}
