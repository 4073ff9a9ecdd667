import { hashToken } from '../kernel/crypto/vault.ts';
import type { Database, Transaction } from '../kernel/database/database.ts';
import { newToken } from '../kernel/ids.ts';
import type { Accounts } from './accounts.ts';

/** Path of the page behind the link, before the token. */
export const SETUP_PATH = '/setup';

const FACT = 'setup_link';

/** The one-time link in the terminal that creates the first administrator. */
export interface SetupLink {
  /** Replaces the token by a new one and returns it; null when an administrator exists. */
  renew(): Promise<string | null>;
  isValid(token: string): Promise<boolean>;
  /** Consumes the token. Reports whether it was valid; of two simultaneous uses, one succeeds. */
  consume(trx: Transaction, token: string): Promise<boolean>;
}

export function createSetupLink(database: Database, accounts: Accounts): SetupLink {
  return {
    async renew() {
      if (await accounts.hasAdmin()) return null;
      const token = newToken();
      const value = hashToken(token);
      await database.transaction((trx) =>
        trx
          .insertInto('facts')
          .values({ name: FACT, value })
          .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
          .execute(),
      );
      return token;
    },
    async isValid(token) {
      const known = database.read.selectFrom('facts').select('name').where('name', '=', FACT);
      const fact = await known.where('value', '=', hashToken(token)).executeTakeFirst();
      return fact !== undefined && !(await accounts.hasAdmin());
    },
    async consume(trx, token) {
      if (await accounts.hasAdmin(trx)) return false;
      const { numDeletedRows } = await trx
        .deleteFrom('facts')
        .where('name', '=', FACT)
        .where('value', '=', hashToken(token))
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}
