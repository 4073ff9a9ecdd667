import type { Vault } from '../kernel/crypto/vault.ts';
import type { Database, Reader, Transaction } from '../kernel/database/database.ts';
import { addFact, readFact } from '../kernel/database/facts.ts';
import { newToken } from '../kernel/ids.ts';
import { LOCAL_ISSUER } from './account.ts';
import type { Accounts } from './accounts.ts';

/** Path of the page behind the link, before the token. */
export const SETUP_PATH = '/setup';

const FACT = 'setup_link';
const PURPOSE = 'setup link';
/** 192 bits in base64url. */
const TOKEN_LENGTH = 32;

/** Reports whether no one can sign in yet: accounts are local, and no administrator exists. */
export const needsFirstAccount = async (accounts: Pick<Accounts, 'issuer' | 'hasAdmin'>): Promise<boolean> =>
  accounts.issuer === LOCAL_ISSUER && !(await accounts.hasAdmin());

/** The one-time link in the terminal that creates the first administrator, the same on all nodes. */
export interface SetupLink {
  /** Returns the token, created at the first call on any node; null when an administrator exists. */
  token(): Promise<string | null>;
  isValid(token: string): Promise<boolean>;
  /** Consumes the token. Reports whether it was valid; of two simultaneous uses, one succeeds. */
  consume(trx: Transaction, token: string): Promise<boolean>;
}

interface SetupLinkDeps {
  database: Database;
  accounts: Pick<Accounts, 'hasAdmin'>;
  vault: Vault;
}

export function createSetupLink({ database, accounts, vault }: SetupLinkDeps): SetupLink {
  /** The token is a signature of a random value, so that each node can show it and none stores it. */
  const tokenOf = (value: string) => vault.sign(PURPOSE, value).slice(0, TOKEN_LENGTH);

  /** Returns the stored value that belongs to `token`. */
  async function valueFor(reader: Reader, token: string): Promise<string | null> {
    const value = await readFact(reader, FACT);
    return value !== null && vault.verify(PURPOSE, value, token, TOKEN_LENGTH) ? value : null;
  }

  return {
    async token() {
      if (await accounts.hasAdmin()) return null;
      return tokenOf(await database.transaction((trx) => addFact(trx, FACT, newToken())));
    },
    isValid: async (token) => (await valueFor(database.read, token)) !== null && !(await accounts.hasAdmin()),
    async consume(trx, token) {
      const value = await valueFor(trx, token);
      if (value === null || (await accounts.hasAdmin(trx))) return false;
      const { numDeletedRows } = await trx
        .deleteFrom('facts')
        .where('name', '=', FACT)
        .where('value', '=', value)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}
