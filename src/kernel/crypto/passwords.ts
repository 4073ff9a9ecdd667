import type { Argon2id } from './argon2id.ts';

/**
 * Hashes and verifies passwords.
 * @param owner address or account whose password it is; owners take turns
 * @throws Problem 429 `rate_limited` or 503 `unavailable` when too many wait
 */
export interface Passwords {
  hash(password: string, owner: string): Promise<string>;
  /**
   * Reports whether a password is right; an empty one, or one above 1,024 characters, never is. With `hash` null it
   * returns false after the same work, so that the duration does not reveal whether an account exists.
   */
  verify(password: string, hash: string | null, owner: string): Promise<boolean>;
}

const MAX_LENGTH = 1_024;
/** The hash of a discarded random password, for accounts that do not exist. */
const DECOY =
  '$argon2id$v=19$m=19456,t=2,p=1$vIQoZf4Spnz7NORb4mksU6QByejMFxC8TS0xpo/DOFI' +
  '$j5CQrLwTlCMHOrpjbl3ZK/7GuvT4iwQ2xGuPEfYU44Q';

export function createPasswords(argon2id: Argon2id): Passwords {
  return {
    hash: (password, owner) => argon2id.hash(password.normalize('NFC'), owner),
    async verify(password, hash, owner) {
      if (password === '' || password.length > MAX_LENGTH) return false;
      const matches = await argon2id.verify(password.normalize('NFC'), hash ?? DECOY, owner);
      return matches && hash !== null;
    },
  };
}
