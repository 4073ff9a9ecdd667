/** A megabyte, in bytes. */
export const MB = 1024 ** 2;

/** Yields bytes in pieces of at most `size` bytes, which share their memory. */
export function* piecesOf<Bytes extends Uint8Array>(bytes: Bytes, size: number): Generator<Bytes> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size) as Bytes;
}

/** Returns a Buffer that shares the memory of the bytes. */
export function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
