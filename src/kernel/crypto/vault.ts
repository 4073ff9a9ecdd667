import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { equalInConstantTime } from './digest.ts';

/**
 * The server keys, at least 32 bytes each, newest first. The newest seals and signs; each of them opens and verifies.
 */
export interface ServerKeys {
  current(): readonly Buffer[];
  /** Reads the keys again, to find those that another process has added, and returns all. */
  reload(): readonly Buffer[];
}

/**
 * Encrypts secrets at rest (AES-256-GCM) and signs values issued by the server (HMAC-SHA-256). Each purpose has its
 * own key, derived from a server key by HKDF (RFC 5869). The purpose and the row of a value are authenticated with it
 * (associated data), so that it cannot be used in another column or row.
 */
export interface Vault {
  /** Encrypts `plain` for a row; returns the id of the key, a dot, and base64url of nonce, tag and ciphertext. */
  seal(purpose: string, row: string, plain: string): string;
  /**
   * Decrypts the output of `seal` for the same purpose and row. @throws Error when its key is missing, or when the
   * value was changed or belongs to another row
   */
  open(purpose: string, row: string, sealed: string): string;
  /** Reports whether the newest key sealed a value. */
  isCurrent(sealed: string): boolean;
  /** Returns an HMAC of `text` for `purpose` in base64url, 43 characters. */
  sign(purpose: string, text: string): string;
  /**
   * Reports whether `signature` is the output of `sign`, in constant time.
   * @param length number of leading characters to compare, all by default; `signature` must have no others
   */
  verify(purpose: string, text: string, signature: string, length?: number): boolean;
  /** Returns the ids of the keys, newest first. An id does not reveal its key. */
  keyIds(): string[];
}

/** The keys derived from one server key. */
interface DerivedKeys {
  id: string;
  derive(purpose: string): Buffer;
}

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ID_BYTES = 6;

/** Creates a vault. @param serverKeys several keys, or one that never changes @throws Error when a key is too short */
export function createVault(serverKeys: ServerKeys | Buffer): Vault {
  const source = 'current' in serverKeys ? serverKeys : fixedKeys(serverKeys);
  const known = new Map<Buffer, DerivedKeys>();
  const derived = (keys: readonly Buffer[]) =>
    keys.map((key) => {
      const found = known.get(key) ?? deriveKeys(key);
      known.set(key, found);
      return found;
    });
  const newest = (): DerivedKeys => {
    const [first] = derived(source.current());
    if (!first) throw new Error('there is no server key');
    return first;
  };
  const byId = (id: string): DerivedKeys => {
    const hasId = (key: DerivedKeys) => key.id === id;
    const key = derived(source.current()).find(hasId) ?? derived(source.reload()).find(hasId);
    if (!key) throw new Error('the value is sealed with a server key that this server does not have');
    return key;
  };
  newest();
  return {
    seal(purpose, row, plain) {
      const key = newest();
      return `${key.id}.${encrypt(key.derive(`seal:${purpose}`), associated(purpose, row), plain)}`;
    },
    open(purpose, row, sealed) {
      const dot = sealed.indexOf('.');
      if (dot < 0) return openWithoutKeyId(derived(source.current()), purpose, sealed);
      const key = byId(sealed.slice(0, dot)).derive(`seal:${purpose}`);
      return decrypt(key, associated(purpose, row), sealed.slice(dot + 1));
    },
    isCurrent: (sealed) => sealed.startsWith(`${newest().id}.`),
    sign: (purpose, text) => signature(newest(), purpose, text),
    verify: (purpose, text, given, length = Number.POSITIVE_INFINITY) =>
      derived(source.current()).some((key) =>
        equalInConstantTime(signature(key, purpose, text).slice(0, length), given),
      ),
    keyIds: () => derived(source.current()).map(({ id }) => id),
  };
}

/** Returns keys that never change. */
export function fixedKeys(...keys: readonly Buffer[]): ServerKeys {
  return { current: () => keys, reload: () => keys };
}

function deriveKeys(key: Buffer): DerivedKeys {
  if (key.length < KEY_BYTES) throw new Error(`the server key must have at least ${KEY_BYTES} bytes`);
  const keys = new Map<string, Buffer>();
  const derive = (purpose: string): Buffer => {
    const found = keys.get(purpose) ?? Buffer.from(hkdfSync('sha256', key, 'posthouse', purpose, KEY_BYTES));
    keys.set(purpose, found);
    return found;
  };
  return { id: derive('key id').subarray(0, ID_BYTES).toString('base64url'), derive };
}

function associated(purpose: string, row: string): Buffer {
  return Buffer.from(`${purpose}\0${row}`);
}

function encrypt(key: Buffer, associatedData: Buffer, plain: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(associatedData);
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
}

function decrypt(key: Buffer, associatedData: Buffer | null, text: string): string {
  const bytes = Buffer.from(text, 'base64url');
  const body = NONCE_BYTES + TAG_BYTES;
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  if (associatedData) decipher.setAAD(associatedData);
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, body));
  return Buffer.concat([decipher.update(bytes.subarray(body)), decipher.final()]).toString('utf8');
}

/** Opens a value of a version before keys had ids, which did not authenticate the row. */
function openWithoutKeyId(keys: readonly DerivedKeys[], purpose: string, sealed: string): string {
  let refused: unknown;
  for (const key of keys) {
    try {
      return decrypt(key.derive(`seal:${purpose}`), null, sealed);
    } catch (error) {
      refused ??= error;
    }
  }
  throw refused;
}

function signature(key: DerivedKeys, purpose: string, text: string): string {
  return createHmac('sha256', key.derive(`sign:${purpose}`))
    .update(text)
    .digest('base64url');
}
