import { availableParallelism } from 'node:os';
import { MINUTE } from '../clock.ts';
import { createFairQueue } from '../limits/fair-queue.ts';

/**
 * Hashes and verifies passwords, a few at once, since each takes 19 MiB of memory and a core. Owners take turns, so
 * that the guesses of one network address delay no sign-in from another.
 * @param owner address or account whose password it is
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

// OWASP Password Storage Cheat Sheet: argon2id with 19 MiB, two passes, one lane.
const ARGON2ID = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const;
const LONGEST = 1_024;
const WAITING = { waiting: 500, waitingEach: 50, waitMs: MINUTE };

/** @param concurrency leaves a core to the other work of the server */
export function createPasswords(
  concurrency = Math.max(1, Math.min(4, availableParallelism() - 1)),
): Passwords {
  const runningEach = Math.max(1, concurrency - 1);
  const inTurn = createFairQueue({ running: concurrency, runningEach, ...WAITING });
  let decoy: Promise<string> | undefined;
  return {
    hash: (password, owner) => inTurn(owner, () => Bun.password.hash(password.normalize('NFC'), ARGON2ID)),
    async verify(password, hash, owner) {
      if (password === '' || password.length > LONGEST) return false;
      decoy ??= Bun.password.hash('a password that nobody has', ARGON2ID);
      const against = hash ?? (await decoy);
      const right = await inTurn(owner, () =>
        Bun.password.verify(password.normalize('NFC'), against).catch(() => false),
      );
      return right && hash !== null;
    },
  };
}
