import { MINUTE } from '../../kernel/clock.ts';
import { digestOf } from '../../kernel/crypto/digest.ts';
import type { Database } from '../../kernel/database/database.ts';
import { limitKey } from '../../kernel/ip.ts';
import type { AttemptRule, Attempts } from '../../kernel/limits/attempts.ts';
import { createKeyedQueue } from '../../kernel/limits/keyed-queue.ts';
import { Problem } from '../../kernel/problem.ts';
import { normalizeEmail } from '../account.ts';
import type { Accounts, PasswordMatch } from '../accounts.ts';
import type { Devices } from '../login/devices.ts';

export interface SignInOrigin {
  /** Network address of the client. */
  address: string;
  /** Value of the device cookie; null = none. */
  deviceToken: string | null;
}

/**
 * Returns the local account of an e-mail address and password; takes as long for an unknown e-mail address.
 * @throws Problem 401 `bad_credentials`, 403 `account_not_allowed` for a disabled account, 429
 * `too_many_attempts`
 */
export type PasswordLogin = (email: string, password: string, origin: SignInOrigin) => Promise<PasswordMatch>;

const WINDOW_MS = 15 * MINUTE;
/** Wrong passwords per window for one account from one address. */
const WRONG_FOR_ACCOUNT_FROM_ADDRESS = 10;
/** Wrong passwords for one account from all browsers that have not signed in to it before. */
const WRONG_FOR_ACCOUNT = 100;
/** Wrong passwords from one browser that has signed in to the account before. */
const WRONG_FROM_DEVICE = 10;

/** Maximum number of sign-ins in one queue. */
const WAITING_EACH = 100;

interface PasswordLoginDeps {
  accounts: Accounts;
  attempts: Attempts;
  database: Database;
  devices: Devices;
}

export function createPasswordLogin({
  accounts,
  attempts,
  database,
  devices,
}: PasswordLoginDeps): PasswordLogin {
  const inTurn = createKeyedQueue(WAITING_EACH);

  /** Checks the count again before each hash, so that parallel guesses are as limited as consecutive ones. */
  async function tryPassword(
    email: string,
    password: string,
    address: string,
    rules: readonly AttemptRule[],
  ): Promise<PasswordMatch | null> {
    await attempts.check(rules);
    const found = await accounts.byPassword(email, password, limitKey(address));
    if (!found) await attempts.failFrom(address, rules);
    return found;
  }

  return async (email, password, { address, deviceToken }) => {
    const device = await devices.identify(deviceToken, email);
    const { rules, queues, own } = countersOf(email, limitKey(address), device);
    await attempts.check(rules);
    const found = await queues.reduceRight(
      (work, queue) => () => inTurn(queue, work),
      () => tryPassword(email, password, address, rules),
    )();
    if (!found) throw new Problem('bad_credentials', 'The e-mail address or the password is wrong.');
    if (found.account.disabled)
      throw new Problem('account_not_allowed', 'This account is disabled. Ask an administrator.');
    await database.transaction((trx) => attempts.clear(trx, own));
    return found;
  };
}

/**
 * Returns the rules of a sign-in, the queues in which it waits, and the scope that a success clears. They are not
 * shared with others when the browser has signed in before.
 */
function countersOf(email: string, from: string, device: string | null) {
  if (device !== null) {
    const own = `login:device:${device}`;
    return { rules: [{ scope: own, limit: WRONG_FROM_DEVICE, windowMs: WINDOW_MS }], queues: [own], own };
  }
  const account = `login:account:${digestOf(normalizeEmail(email))}`;
  const own = `${account}:${from}`;
  const rules = [
    { scope: own, limit: WRONG_FOR_ACCOUNT_FROM_ADDRESS, windowMs: WINDOW_MS },
    { scope: account, limit: WRONG_FOR_ACCOUNT, windowMs: WINDOW_MS },
  ];
  return { rules, queues: [from, account], own };
}
