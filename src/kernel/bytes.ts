/** A megabyte, in bytes. */
export const MB = 1024 ** 2;

/** Yields bytes in pieces of at most `size` bytes, which share their memory. */
export function* piecesOf<Bytes extends Uint8Array>(bytes: Bytes, size: number): Generator<Bytes> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size) as Bytes;
}

/** Returns the hexadecimal form of bytes in Base64. */
export const hexOf = (base64: string) => Buffer.from(base64, 'base64').toString('hex');

/** Returns the text of bytes in UTF-8, a byte order mark included. @throws TypeError when they are not UTF-8 */
export const utf8Text = (bytes: Uint8Array) =>
  new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);

/** Returns a Buffer that shares the memory of the bytes. */
export function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
