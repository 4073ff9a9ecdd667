import { hashToken } from '../kernel/crypto/vault.ts';
import type { Database, Reader, Transaction } from '../kernel/database/database.ts';
import { newToken } from '../kernel/ids.ts';
import type { Accounts } from './accounts.ts';

const FACT = 'setup_link';

export type SetupLink = ReturnType<typeof createSetupLink>;

/** The one-time link by which the first administrator is made: whoever reads the server's terminal may. */
export function createSetupLink({ database, accounts }: { database: Database; accounts: Accounts }) {
  return {
    /** Makes a new token, which takes the place of every earlier one; null when there is an administrator. */
    async renew(): Promise<string | null> {
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

    async isValid(token: string, reader: Reader = database.read): Promise<boolean> {
      const fact = await reader
        .selectFrom('facts')
        .select('name')
        .where('name', '=', FACT)
        .where('value', '=', hashToken(token))
        .executeTakeFirst();
      return fact !== undefined && !(await accounts.hasAdmin(reader));
    },

    /** Uses the token up; false when it is not valid. Of two that use it at once, one succeeds. */
    async use(trx: Transaction, token: string): Promise<boolean> {
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
