import { parse } from 'hono/utils/cookie';
import { type Clock, DAY } from '../../kernel/clock.ts';
import type { Vault } from '../../kernel/crypto/vault.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Ctx } from '../../kernel/http/context.ts';
import { isId, newToken } from '../../kernel/ids.ts';
import { normalizeEmail } from '../account.ts';
import type { Accounts } from '../accounts.ts';
import { passwordMarkOf } from '../passwords/password-mark.ts';
import { cookieName, setCookie } from './cookies.ts';

/**
 * Cookies of browsers that have signed in to an account. Wrong passwords from such a browser are counted separately, so
 * that the guesses of others do not lock out the owner (OWASP, Slow Down Online Guessing Attacks with Device Cookies).
 * The cookie survives the sign-out and ends with a change of the password.
 */
export interface Devices {
  /** Sets the cookie after a sign-in; does nothing for an account without local password. */
  remember(c: Ctx, accountId: string): Promise<void>;
  /** Returns the value of the cookie in a `Cookie` header; null when it has none. */
  read(header: string | undefined): string | null;
  /** Returns the id of the browser that received `token`; null when it is not valid for the account of `email`. */
  identify(token: string | null, email: string): Promise<string | null>;
}

const LIFETIME_MS = 365 * DAY;
const PURPOSE = 'device';

interface DevicesDeps {
  database: Database;
  accounts: Pick<Accounts, 'byId'>;
  vault: Vault;
  clock: Clock;
  secure: boolean;
}

export function createDevices({ database, accounts, vault, clock, secure }: DevicesDeps): Devices {
  const name = cookieName('posthouse-device', secure);
  return {
    async remember(c, accountId) {
      const mark = await passwordMarkOf(database.read, accountId);
      if (mark === null) return;
      const claim = `${accountId}.${newToken()}.${clock.now() + LIFETIME_MS}`;
      const token = `${claim}.${vault.sign(PURPOSE, `${claim}.${mark}`)}`;
      setCookie(c, name, token, { lifetimeMs: LIFETIME_MS, secure });
    },
    read: (header = '') => parse(header, name)[name] || null,
    async identify(token, email) {
      const [accountId = '', device = '', endsAt = '', signature = ''] = token?.split('.') ?? [];
      if (!isId(accountId) || !(Number(endsAt) > clock.now())) return null;
      const mark = await passwordMarkOf(database.read, accountId);
      const claim = `${accountId}.${device}.${endsAt}.${mark}`;
      if (mark === null || !vault.verify(PURPOSE, claim, signature)) return null;
      return (await accounts.byId(accountId))?.email === normalizeEmail(email) ? device : null;
    },
  };
}
