import { timingSafeEqual } from 'node:crypto';

/** Compares two texts in a time that does not depend on where they differ. */
export function equalInConstantTime(a: string, b: string): boolean {
  const left = Buffer.from(new Bun.CryptoHasher('sha256').update(a).digest());
  const right = Buffer.from(new Bun.CryptoHasher('sha256').update(b).digest());
  return timingSafeEqual(left, right);
}

/**
 * Returns the SHA-256 digest of a text in base64url. Stored for random tokens of 128 bits or more; not for passwords.
 */
export function digestOf(text: string): string {
  return new Bun.CryptoHasher('sha256').update(text).digest('base64url');
}
