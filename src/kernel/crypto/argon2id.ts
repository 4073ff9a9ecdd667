// OWASP Password Storage Cheat Sheet: argon2id with 19 MiB, two passes, one lane.
const PARAMETERS = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const;

/** Computes hashes of passwords: 20 to 40 ms of a core and 19 MiB of memory each. */
export interface Argon2id {
  /** @param owner address or account whose password it is */
  hash(password: string, owner: string): Promise<string>;
  /** Reports whether a password has this hash; false for a malformed hash. */
  verify(password: string, hash: string, owner: string): Promise<boolean>;
}

/** Computes in this process, for commands and children. */
export const argon2idInProcess = {
  hash: async (password: string) => Bun.password.hashSync(password, PARAMETERS),
  async verify(password: string, hash: string) {
    try {
      return Bun.password.verifySync(password, hash);
    } catch {
      return false;
    }
  },
} satisfies Argon2id;
