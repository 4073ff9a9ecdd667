import { type Clock, DAY } from '../kernel/clock.ts';
import { hashToken, type Vault } from '../kernel/crypto/vault.ts';
import type { Database, Reader } from '../kernel/database/database.ts';
import { isId } from '../kernel/ids.ts';
import { LOCAL_ISSUER } from './accounts.ts';

interface LinksParts {
  database: Database;
  clock: Clock;
  vault: Vault;
}

const LIFETIME_MS = 7 * DAY;
const PURPOSE = 'password link';

export type PasswordLinks = ReturnType<typeof createPasswordLinks>;

/**
 * One-time links by which people choose their own password: after an invitation, or when they have forgotten it.
 * The signature covers the present password, so that choosing one ends every link made before.
 */
export function createPasswordLinks({ database, clock, vault }: LinksParts) {
  const claim = (accountId: string, endsAt: number, passwordHash: string | null) =>
    `${accountId}.${endsAt}.${hashToken(passwordHash ?? '')}`;

  /** Undefined without such an account that may sign in. */
  async function passwordOf(accountId: string, reader: Reader): Promise<string | null | undefined> {
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

  return {
    /** Gives the link's token; null for an account that has no password here. */
    async make(accountId: string): Promise<{ token: string; endsAt: number } | null> {
      const passwordHash = await passwordOf(accountId, database.read);
      if (passwordHash === undefined) return null;
      const endsAt = clock.now() + LIFETIME_MS;
      return { token: `${accountId}.${endsAt}.${vault.sign(PURPOSE, claim(accountId, endsAt, passwordHash))}`, endsAt };
    },

    /** The account that a token is for; null when it was used, has run out or never was. */
    async accountOf(token: string, reader: Reader = database.read): Promise<string | null> {
      const [accountId = '', endsAt = '', signature = ''] = token.split('.');
      if (!isId(accountId) || !(Number(endsAt) > clock.now())) return null;
      const passwordHash = await passwordOf(accountId, reader);
      if (passwordHash === undefined) return null;
      return vault.verify(PURPOSE, claim(accountId, Number(endsAt), passwordHash), signature) ? accountId : null;
    },
  };
}
