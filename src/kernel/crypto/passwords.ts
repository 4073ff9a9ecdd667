import { limitConcurrency } from '../limits/concurrency.ts';

/** Hashes and checks passwords; at most `concurrency` at once, since each takes 19 MB and a core for a while. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** False for a wrong password. With `hash` null it does the same work and answers false, so that a missing account takes as long. */
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
      decoy ??= Bun.password.hash('a password that nobody has', ARGON2ID);
      const against = hash ?? (await decoy);
      const right = await inTurn(() => Bun.password.verify(password.normalize('NFC') || ' ', against).catch(() => false));
      return right && hash !== null && password !== '';
    },
  };
}
