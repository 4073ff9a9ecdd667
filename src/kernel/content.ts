/** Some bytes, or their chunks: each is valid until the next is requested, and must be copied to be kept. */
export type Content = Uint8Array<ArrayBuffer> | AsyncIterable<Uint8Array>;

/** Returns the chunks of a content, each valid until the next is requested. */
export function chunksIn(content: Content): Iterable<Uint8Array> | AsyncIterable<Uint8Array> {
  return content instanceof Uint8Array ? [content] : content;
}

/** Returns all bytes of a short content. */
export async function bytesIn(content: Content): Promise<Uint8Array<ArrayBuffer>> {
  if (content instanceof Uint8Array) return content;
  const copies: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of content) copies.push(new Uint8Array(chunk));
  return await new Blob(copies).bytes();
}
