import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * Keeps secrets at rest (AES-256-GCM) and proves what the server itself issued (HMAC-SHA-256).
 * Every purpose has a key of its own, derived from the one server key by HKDF (RFC 5869), so that
 * a value sealed for one column can be neither opened nor replayed as another.
 */
export interface Vault {
  /** Encrypts `plain`; the answer is base64url of nonce, tag and ciphertext. */
  seal(purpose: string, plain: string): string;
  /** Opens what `seal` made for the same purpose; throws when it was made with another key or was changed. */
  open(purpose: string, sealed: string): string;
  /** An HMAC of `text` for `purpose`, base64url, 43 characters. */
  sign(purpose: string, text: string): string;
  /** True when `signature` is what `sign` gives; takes the same time for every wrong one. */
  verify(purpose: string, text: string, signature: string): boolean;
  /** 32 bytes derived from the server key, for libraries that want a key of their own. */
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
      const decipher = createDecipheriv('aes-256-gcm', derive(`seal:${purpose}`), bytes.subarray(0, 12), { authTagLength: 16 });
      decipher.setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
    },
    sign,
    verify: (purpose, text, signature) => equalInConstantTime(sign(purpose, text), signature),
    derive,
  };
}

/** Compares two texts without telling by its duration where they differ. */
export function equalInConstantTime(a: string, b: string): boolean {
  const left = Buffer.from(new Bun.CryptoHasher('sha256').update(a).digest());
  const right = Buffer.from(new Bun.CryptoHasher('sha256').update(b).digest());
  return timingSafeEqual(left, right);
}

/** The form in which random tokens (128 bits and more) are stored: SHA-256, base64url. Not for passwords. */
export function hashToken(token: string): string {
  return new Bun.CryptoHasher('sha256').update(token).digest('base64url');
}
