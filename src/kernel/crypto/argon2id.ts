export interface Argon2idCost {
  /** KiB. */
  memoryCost: number;
  /** Number of passes. */
  timeCost: number;
}

/** OWASP Password Storage Cheat Sheet: argon2id with 19 MiB, two passes, one lane. It takes 20 to 40 ms of a core. */
export const ARGON2ID_COST: Argon2idCost = { memoryCost: 19_456, timeCost: 2 };

/** Computes hashes of passwords. */
export interface Argon2id {
  /** @param owner address or account whose password it is */
  hash(password: string, owner: string): Promise<string>;
  /** Reports whether a password has this hash; false for a malformed hash. */
  verify(password: string, hash: string, owner: string): Promise<boolean>;
}

/**
 * Computes in this process, for commands and children.
 * @param cost of new hashes; passwords are verified with the cost that their hash contains
 */
export function createArgon2id(cost = ARGON2ID_COST) {
  return {
    hash: async (password: string) => Bun.password.hashSync(password, { algorithm: 'argon2id', ...cost }),
    async verify(password: string, hash: string) {
      try {
        return Bun.password.verifySync(password, hash);
      } catch {
        return false;
      }
    },
  } satisfies Argon2id;
}
