import type { Clock } from '../kernel/clock.ts';
import { createPasswords } from '../kernel/crypto/passwords.ts';
import type { Vault } from '../kernel/crypto/vault.ts';
import type { Database } from '../kernel/database/database.ts';
import { type AccountCreated, createAccounts, LOCAL_ISSUER } from './accounts.ts';
import { createSessions } from './sessions.ts';
import { createTokens } from './tokens.ts';

interface PeopleParts {
  database: Database;
  clock: Clock;
  vault: Vault;
  /** The external issuer's URL; null = accounts are local. */
  issuer: string | null;
  accountCreated: AccountCreated;
}

export type People = ReturnType<typeof createPeople>;

/** Accounts with their sessions and tokens: what the server and the commands have in common of identity. */
export function createPeople({ database, clock, vault, issuer, accountCreated }: PeopleParts) {
  const sessions = createSessions({ database, clock, vault });
  const tokens = createTokens({ database, clock });
  const accounts = createAccounts({
    database,
    clock,
    passwords: createPasswords(),
    issuer: issuer ?? LOCAL_ISSUER,
    accountCreated,
    async endAccess(trx, accountId) {
      await sessions.endAll(trx, accountId);
      await tokens.revokeAll(trx, accountId);
    },
  });
  return { accounts, sessions, tokens };
}
