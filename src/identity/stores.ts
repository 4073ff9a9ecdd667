import type { Clock } from '../kernel/clock.ts';
import type { Passwords } from '../kernel/crypto/passwords.ts';
import type { Vault } from '../kernel/crypto/vault.ts';
import type { Database } from '../kernel/database/database.ts';
import { LOCAL_ISSUER } from './account.ts';
import { type AccountCreated, type Accounts, createAccounts } from './accounts.ts';
import { type Credentials, createCredentials } from './credentials.ts';
import { createSessions, type Sessions } from './sessions.ts';
import { createTokens, type Tokens } from './tokens.ts';

interface IdentityStoresDeps {
  database: Database;
  clock: Clock;
  vault: Vault;
  passwords: Passwords;
  /** URL of the external issuer; null = local accounts. */
  issuer: string | null;
  accountCreated: AccountCreated;
}

/** The stores of identity, for the server and the commands. */
export interface IdentityStores {
  accounts: Accounts;
  sessions: Sessions;
  tokens: Tokens;
  credentials: Credentials;
}

export function createIdentityStores(deps: IdentityStoresDeps): IdentityStores {
  const { database, clock, vault, passwords, accountCreated } = deps;
  const issuer = deps.issuer ?? LOCAL_ISSUER;
  const sessions = createSessions({ database, clock, vault, issuer });
  const tokens = createTokens({ database, clock, issuer });
  const accounts = createAccounts({
    database,
    clock,
    passwords,
    issuer,
    accountCreated,
    async endAccess(trx, accountId) {
      await sessions.endAll(trx, accountId);
      await tokens.revokeAll(trx, accountId);
    },
  });
  return { accounts, sessions, tokens, credentials: createCredentials({ database, clock, issuer }) };
}
