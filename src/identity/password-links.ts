import { type Clock, DAY } from '../kernel/clock.ts';
import { hashToken, type Vault } from '../kernel/crypto/vault.ts';
import type { Database, Reader } from '../kernel/database/database.ts';
import { isId } from '../kernel/ids.ts';
import { LOCAL_ISSUER } from './account.ts';

interface PasswordLinksDeps {
  database: Database;
  clock: Clock;
  vault: Vault;
  publicUrl: string;
}

/** Path of the page behind a link, before the token. */
export const PASSWORD_PATH = '/password';

const LIFETIME_MS = 7 * DAY;
const PURPOSE = 'password link';

/**
 * One-time links to choose a password, after an invitation or when the password is lost. The signature covers
 * the current password, so that a new password ends all earlier links.
 */
export interface PasswordLinks {
  /** Returns null for an account without local password. `expiresAt` in milliseconds. */
  create(accountId: string): Promise<{ link: string; expiresAt: number } | null>;
  /** Returns the account id of a link's token; null when it is used, expired or unknown. */
  accountOf(token: string, reader?: Reader): Promise<string | null>;
}

export function createPasswordLinks(deps: PasswordLinksDeps): PasswordLinks {
  const { database, clock, vault, publicUrl } = deps;
  const claim = (accountId: string, expiresAt: number, passwordHash: string | null) =>
    `${accountId}.${expiresAt}.${hashToken(passwordHash ?? '')}`;

  return {
    async create(accountId) {
      const passwordHash = await passwordHashOf(database.read, accountId);
      if (passwordHash === undefined) return null;
      const expiresAt = clock.now() + LIFETIME_MS;
      const signature = vault.sign(PURPOSE, claim(accountId, expiresAt, passwordHash));
      return { link: `${publicUrl}${PASSWORD_PATH}/${accountId}.${expiresAt}.${signature}`, expiresAt };
    },
    async accountOf(token, reader = database.read) {
      const [accountId = '', expiresAt = '', signature = ''] = token.split('.');
      if (!isId(accountId) || !(Number(expiresAt) > clock.now())) return null;
      const passwordHash = await passwordHashOf(reader, accountId);
      if (passwordHash === undefined) return null;
      const signed = claim(accountId, Number(expiresAt), passwordHash);
      return vault.verify(PURPOSE, signed, signature) ? accountId : null;
    },
  };
}

/** Returns null without a password, undefined without an enabled local account. */
async function passwordHashOf(reader: Reader, accountId: string): Promise<string | null | undefined> {
  const row = await reader
    .selectFrom('accounts')
    .leftJoin('credentials', 'credentials.account_id', 'accounts.id')
    .select('credentials.password_hash')
    .where('accounts.id', '=', accountId)
    .where('accounts.issuer', '=', LOCAL_ISSUER)
    .where('accounts.disabled', '=', 0)
    .executeTakeFirst();
  return row?.password_hash;
}
