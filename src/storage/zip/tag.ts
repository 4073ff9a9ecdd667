import type { ZipEntry } from './zip.ts';

/** Raised when the same entries come to be laid out as other bytes. */
const LAYOUT = 1;

/**
 * A strong entity tag (RFC 9110 §8.8.3) of the ZIP of `entries`: another one whenever a byte of the archive is another.
 * @param entries with the SHA-256 of each member's bytes, since two contents can share a CRC-32
 */
export function zipTag(entries: Iterable<ZipEntry & { sha256: string }>): string {
  const hash = new Bun.CryptoHasher('sha256').update(`zip ${LAYOUT}`);
  for (const { path, size, crc32, modified, sha256 } of entries) hash.update(JSON.stringify([path, size, crc32, modified, sha256]));
  return `"${hash.digest('base64url').slice(0, 32)}"`;
}
