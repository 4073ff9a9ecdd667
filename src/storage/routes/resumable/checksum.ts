import { createHash, timingSafeEqual } from 'node:crypto';
import { invalidField } from '../../../kernel/problem.ts';

/** tus 1.0.0, extension "checksum": SHA-1 is mandatory. */
export const CHECKSUM_ALGORITHMS = ['sha1', 'sha256', 'sha512', 'md5'] as const;

/** Compares the bytes of one request with the client's checksum. */
export interface UploadChecksum {
  update(bytes: Uint8Array): void;
  /** Call once, at the end. */
  isRight(): boolean;
}

/** Parses an `Upload-Checksum` header: an algorithm, a space, Base64; null = no header. @throws Problem 400 */
export function readChecksum(header: string | null | undefined): UploadChecksum | null {
  if (header === null || header === undefined) return null;
  const [algorithm = '', encoded = '', ...more] = header.split(' ');
  if (!(CHECKSUM_ALGORITHMS as readonly string[]).includes(algorithm)) {
    throw invalidField('Upload-Checksum', `must name one of ${CHECKSUM_ALGORITHMS.join(', ')}`);
  }
  const hash = createHash(algorithm);
  const expected = Buffer.from(encoded, 'base64');
  if (more.length > 0 || expected.length !== createHash(algorithm).digest().length) {
    throw invalidField('Upload-Checksum', `must be ${algorithm}, a space and the checksum in Base64`);
  }
  return {
    update: (bytes) => void hash.update(bytes),
    isRight: () => timingSafeEqual(hash.digest(), expected),
  };
}
