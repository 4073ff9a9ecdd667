import { type Clock, MINUTE } from '../../kernel/clock.ts';
import type { Vault } from '../../kernel/crypto/vault.ts';
import type { Protected } from './protected.ts';

export const PASS_MS = 10 * MINUTE;

/**
 * Signed passes to files and links, which replace the secrets for a while. A change of the secrets invalidates them.
 */
export interface Passes {
  create(item: Protected): string;
  /** @param pass null = none */
  isValid(item: Protected, pass: string | null): boolean;
}

export function createPasses({ vault, clock }: { vault: Vault; clock: Clock }): Passes {
  const purpose = 'file pass';
  const textOf = ({ id, accessKey, passwordHash }: Protected, ends: string) =>
    `${id} ${accessKey} ${passwordHash} ${ends}`;
  return {
    create(item) {
      const ends = String(clock.now() + PASS_MS);
      return `${ends}.${vault.sign(purpose, textOf(item, ends))}`;
    },
    isValid(item, pass) {
      const [ends = '', signature = ''] = pass?.split('.') ?? [];
      if (!/^\d{1,15}$/.test(ends) || Number(ends) <= clock.now()) return false;
      return vault.verify(purpose, textOf(item, ends), signature);
    },
  };
}
