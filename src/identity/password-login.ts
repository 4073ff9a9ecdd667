import { MINUTE } from '../kernel/clock.ts';
import { hashToken } from '../kernel/crypto/vault.ts';
import type { Database } from '../kernel/database/database.ts';
import { limitKey } from '../kernel/http/address.ts';
import { Problem } from '../kernel/http/problem.ts';
import type { AttemptRule, Attempts } from '../kernel/limits/attempts.ts';
import { type Account, type Accounts, plainEmail } from './accounts.ts';

/**
 * The local account of an address and password; takes as long for an address that nobody has.
 * @param address where the request comes from
 * @throws Problem 401 `bad_credentials`, 403 `account_not_allowed` for a disabled account, 429 `too_many_attempts`
 */
export type PasswordLogin = (email: string, password: string, address: string) => Promise<Account>;

const WINDOW_MS = 15 * MINUTE;
/** Of one account from one address; a person who mistypes gets further than a program that guesses. */
const WRONG_FOR_ACCOUNT_FROM_ADDRESS = 10;
/** Of one account from everywhere. High, since whoever reaches it keeps the account's owner out as well. */
const WRONG_FOR_ACCOUNT = 100;
/** From one address for all accounts, behind which a whole office may sit. */
const WRONG_FROM_ADDRESS = 50;

export function createPasswordLogin(parts: { accounts: Accounts; attempts: Attempts; database: Database }): PasswordLogin {
  const { accounts, attempts, database } = parts;
  return async (email, password, address) => {
    const account = `login:account:${hashToken(plainEmail(email))}`;
    const from = limitKey(address);
    const rules: AttemptRule[] = [
      { scope: `${account}:${from}`, limit: WRONG_FOR_ACCOUNT_FROM_ADDRESS, windowMs: WINDOW_MS },
      { scope: account, limit: WRONG_FOR_ACCOUNT, windowMs: WINDOW_MS },
      { scope: `login:address:${from}`, limit: WRONG_FROM_ADDRESS, windowMs: WINDOW_MS },
    ];
    await attempts.check(rules);
    const found = await accounts.byPassword(email, password);
    if (!found) {
      await attempts.fail(rules);
      throw new Problem('bad_credentials', 'The e-mail address or the password is wrong.');
    }
    if (found.disabled) throw new Problem('account_not_allowed', 'This account is disabled. Ask an administrator.');
    await database.transaction((trx) => attempts.clear(trx, `${account}:${from}`));
    return found;
  };
}
