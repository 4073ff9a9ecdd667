import type { ByteRange } from '../../kernel/byte-range.ts';
import type { BlobBody, Blobs } from './port.ts';

/** Returns the bytes of a blob as a stream. */
export function streamOf(body: BlobBody): ReadableStream<Uint8Array> {
  if (body instanceof ReadableStream) return body;
  return (body instanceof Blob ? body : new Blob([body])).stream();
}

/** Returns the chunks of a blob or of a range of it, which is opened when the first one is read. */
export async function* chunksOf(
  blobs: Pick<Blobs, 'read'>,
  { blobKey, sizeBytes }: { blobKey: string; sizeBytes: number },
  range?: ByteRange,
): AsyncGenerator<Uint8Array> {
  yield* streamOf(await blobs.read(blobKey, sizeBytes, range));
}
