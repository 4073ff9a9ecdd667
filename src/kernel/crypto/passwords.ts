import { limitConcurrency } from '../limits/concurrency.ts';

/** Hashes and verifies passwords, at most `concurrency` at once, since each takes 19 MiB of memory and a core. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /**
   * Reports whether a password is right; an empty one never is. With `hash` null it returns false after the same
   * work, so that the duration does not reveal whether an account exists.
   */
  verify(password: string, hash: string | null): Promise<boolean>;
}

// OWASP Password Storage Cheat Sheet: argon2id with 19 MiB, two passes, one lane.
const ARGON2ID = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const;

export function createPasswords(concurrency = 4): Passwords {
  const inTurn = limitConcurrency(concurrency);
  let decoy: Promise<string> | undefined;
  return {
    hash: (password) => inTurn(() => Bun.password.hash(password.normalize('NFC'), ARGON2ID)),
    async verify(password, hash) {
      if (password === '') return false;
      decoy ??= Bun.password.hash('a password that nobody has', ARGON2ID);
      const against = hash ?? (await decoy);
      const right = await inTurn(() =>
        Bun.password.verify(password.normalize('NFC'), against).catch(() => false),
      );
      return right && hash !== null;
    },
  };
}
