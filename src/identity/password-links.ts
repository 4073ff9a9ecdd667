import { type Clock, DAY } from '../kernel/clock.ts';
import type { Vault } from '../kernel/crypto/vault.ts';
import type { Database, Reader } from '../kernel/database/database.ts';
import { isId } from '../kernel/ids.ts';
import { passwordMarkOf } from './password-mark.ts';

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
  const claim = (accountId: string, expiresAt: number, mark: string) => `${accountId}.${expiresAt}.${mark}`;

  return {
    async create(accountId) {
      const mark = await passwordMarkOf(database.read, accountId);
      if (mark === null) return null;
      const expiresAt = clock.now() + LIFETIME_MS;
      const signature = vault.sign(PURPOSE, claim(accountId, expiresAt, mark));
      return { link: `${publicUrl}${PASSWORD_PATH}/${accountId}.${expiresAt}.${signature}`, expiresAt };
    },
    async accountOf(token, reader = database.read) {
      const [accountId = '', expiresAt = '', signature = ''] = token.split('.');
      if (!isId(accountId) || !(Number(expiresAt) > clock.now())) return null;
      const mark = await passwordMarkOf(reader, accountId);
      if (mark === null) return null;
      const signed = claim(accountId, Number(expiresAt), mark);
      return vault.verify(PURPOSE, signed, signature) ? accountId : null;
    },
  };
}
