import type { BlobBody } from './port.ts';

/** Returns the bytes of a blob as a stream. */
export function streamOf(body: BlobBody): ReadableStream<Uint8Array> {
  if (body instanceof ReadableStream) return body;
  return (body instanceof Blob ? body : new Blob([body])).stream();
}
