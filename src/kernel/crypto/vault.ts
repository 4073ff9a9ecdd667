import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/**
 * Encrypts secrets at rest (AES-256-GCM) and signs values issued by the server (HMAC-SHA-256). Each purpose has its
 * own key, derived from the server key by HKDF (RFC 5869), so that a value sealed for one column cannot be used in
 * another.
 */
export interface Vault {
  /** Encrypts `plain`; returns base64url of nonce, tag and ciphertext. */
  seal(purpose: string, plain: string): string;
  /**
   * Decrypts the output of `seal` for the same purpose. @throws Error when it was sealed with another key or was
   * changed
   */
  open(purpose: string, sealed: string): string;
  /** Returns an HMAC of `text` for `purpose` in base64url, 43 characters. */
  sign(purpose: string, text: string): string;
  /** Reports whether `signature` is the output of `sign`, in constant time. */
  verify(purpose: string, text: string, signature: string): boolean;
  /** Returns 32 bytes derived from the server key, for libraries that need a key. */
  derive(purpose: string): Buffer;
}

/** @param key the server key, at least 32 bytes */
export function createVault(key: Buffer): Vault {
  if (key.length < 32) throw new Error('the server key must have at least 32 bytes');
  const derived = new Map<string, Buffer>();
  const derive = (purpose: string): Buffer => {
    let found = derived.get(purpose);
    if (!found) {
      found = Buffer.from(hkdfSync('sha256', key, 'posthouse', purpose, 32));
      derived.set(purpose, found);
    }
    return found;
  };
  const sign = (purpose: string, text: string) =>
    createHmac('sha256', derive(`sign:${purpose}`))
      .update(text)
      .digest('base64url');
  return {
    seal(purpose, plain) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', derive(`seal:${purpose}`), nonce);
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
    },
    open(purpose, sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', derive(`seal:${purpose}`), bytes.subarray(0, 12), {
        authTagLength: 16,
      });
      decipher.setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
    },
    sign,
    verify: (purpose, text, signature) => equalInConstantTime(sign(purpose, text), signature),
    derive,
  };
}

/** Compares two texts in a time that does not depend on where they differ. */
export function equalInConstantTime(a: string, b: string): boolean {
  const left = Buffer.from(new Bun.CryptoHasher('sha256').update(a).digest());
  const right = Buffer.from(new Bun.CryptoHasher('sha256').update(b).digest());
  return timingSafeEqual(left, right);
}

/** Returns the stored form of a random token of 128 bits or more: SHA-256 in base64url. Not for passwords. */
export function hashToken(token: string): string {
  return new Bun.CryptoHasher('sha256').update(token).digest('base64url');
}
