import { MINUTE } from '../kernel/clock.ts';
import { hashToken } from '../kernel/crypto/vault.ts';
import type { Database } from '../kernel/database/database.ts';
import { limitKey } from '../kernel/ip.ts';
import type { AttemptRule, Attempts } from '../kernel/limits/attempts.ts';
import { createKeyedQueue } from '../kernel/limits/keyed-queue.ts';
import { Problem } from '../kernel/problem.ts';
import { type Account, normalizeEmail } from './account.ts';
import type { Accounts } from './accounts.ts';

/**
 * Returns the local account of an e-mail address and password; takes as long for an unknown e-mail address.
 * @param address network address of the client
 * @throws Problem 401 `bad_credentials`, 403 `account_not_allowed` for a disabled account, 429
 * `too_many_attempts`
 */
export type PasswordLogin = (email: string, password: string, address: string) => Promise<Account>;

const WINDOW_MS = 15 * MINUTE;
/** For one account from one address. */
const WRONG_FOR_ACCOUNT_FROM_ADDRESS = 10;
/** For one account from everywhere. High, since reaching it also locks out the owner. */
const WRONG_FOR_ACCOUNT = 100;

interface PasswordLoginDeps {
  accounts: Accounts;
  attempts: Attempts;
  database: Database;
}

export function createPasswordLogin({ accounts, attempts, database }: PasswordLoginDeps): PasswordLogin {
  const inTurn = createKeyedQueue();

  /** Checks the count again before each hash, so that parallel guesses are as limited as consecutive ones. */
  async function judge(
    email: string,
    password: string,
    address: string,
    rules: readonly AttemptRule[],
  ): Promise<Account | null> {
    await attempts.check(rules);
    const found = await accounts.byPassword(email, password);
    if (!found) await attempts.failFrom(address, rules);
    return found;
  }

  return async (email, password, address) => {
    const account = `login:account:${hashToken(normalizeEmail(email))}`;
    const from = limitKey(address);
    const rules: AttemptRule[] = [
      { scope: `${account}:${from}`, limit: WRONG_FOR_ACCOUNT_FROM_ADDRESS, windowMs: WINDOW_MS },
      { scope: account, limit: WRONG_FOR_ACCOUNT, windowMs: WINDOW_MS },
    ];
    await attempts.check(rules);
    const found = await inTurn(from, () => inTurn(account, () => judge(email, password, address, rules)));
    if (!found) throw new Problem('bad_credentials', 'The e-mail address or the password is wrong.');
    if (found.disabled)
      throw new Problem('account_not_allowed', 'This account is disabled. Ask an administrator.');
    await database.transaction((trx) => attempts.clear(trx, `${account}:${from}`));
    return found;
  };
}
