import { type Clock, MINUTE } from '../../kernel/clock.ts';
import type { Vault } from '../../kernel/crypto/vault.ts';
import type { StoredFile } from '../tree/file.ts';

/** Lifetime of a pass. */
export const PASS_MS = 10 * MINUTE;

/** Signed passes to files, which replace the secrets for a while. A change of a file's secrets ends its passes. */
export interface Passes {
  create(file: StoredFile): string;
  /** @param pass null = none */
  isValid(file: StoredFile, pass: string | null): boolean;
}

export function createPasses({ vault, clock }: { vault: Vault; clock: Clock }): Passes {
  const purpose = 'file pass';
  const textOf = ({ id, accessKey, passwordHash }: StoredFile, ends: string) =>
    `${id} ${accessKey} ${passwordHash} ${ends}`;
  return {
    create(file) {
      const ends = String(clock.now() + PASS_MS);
      return `${ends}.${vault.sign(purpose, textOf(file, ends))}`;
    },
    isValid(file, pass) {
      const [ends = '', signature = ''] = pass?.split('.') ?? [];
      if (!/^\d{1,15}$/.test(ends) || Number(ends) <= clock.now()) return false;
      return vault.verify(purpose, textOf(file, ends), signature);
    },
  };
}
