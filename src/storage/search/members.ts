/*
 * Sets of indexes of files in a block, as bytes: a list of up to 64 numbers of two bytes, the lower one first, or a
 * bitmap, whichever is shorter. The first byte is the form.
 */
const LIST = 0;
const BITMAP = 1;
const NUMBER_BYTES = 2;

/** @param indexes in ascending order, not empty */
export function encodeMembers(indexes: readonly number[]): Uint8Array {
  const bitmapBytes = ((indexes.at(-1) ?? 0) >> 3) + 1;
  const isList = indexes.length * NUMBER_BYTES <= bitmapBytes;
  const bytes = new Uint8Array(1 + (isList ? indexes.length * NUMBER_BYTES : bitmapBytes));
  bytes[0] = isList ? LIST : BITMAP;
  for (const [at, index] of indexes.entries()) {
    if (isList) bytes.set([index & 0xff, index >> 8], 1 + at * NUMBER_BYTES);
    else bytes[1 + (index >> 3)] = (bytes[1 + (index >> 3)] ?? 0) | (1 << (index & 7));
  }
  return bytes;
}

/** Returns the indexes in ascending order. */
export function decodeMembers(bytes: Uint8Array): number[] {
  const indexes: number[] = [];
  if (bytes[0] === LIST) {
    for (let at = 1; at < bytes.length; at += NUMBER_BYTES)
      indexes.push((bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8));
    return indexes;
  }
  for (let at = 1; at < bytes.length; at++)
    for (let byte = bytes[at] ?? 0, bit = 0; byte !== 0; byte >>= 1, bit++)
      if (byte & 1) indexes.push((at - 1) * 8 + bit);
  return indexes;
}

/** Reports whether a set contains an index. */
export function hasMember(bytes: Uint8Array, index: number): boolean {
  if (bytes[0] === BITMAP) return (((bytes[1 + (index >> 3)] ?? 0) >> (index & 7)) & 1) === 1;
  for (let at = 1; at < bytes.length; at += NUMBER_BYTES)
    if (bytes[at] === (index & 0xff) && bytes[at + 1] === index >> 8) return true;
  return false;
}
