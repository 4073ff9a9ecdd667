import { digestOf } from '../../kernel/crypto/digest.ts';
import type { Reader } from '../../kernel/database/database.ts';
import { LOCAL_ISSUER } from '../account.ts';

/** @param passwordHash null = the account has no password yet */
export const markOf = (passwordHash: string | null): string => digestOf(passwordHash ?? '');

/**
 * Returns a text that identifies the current password of an enabled local account, even when it has none yet; null
 * without such an account. A signature that covers this text becomes invalid with the next change of the password.
 */
export async function passwordMarkOf(reader: Reader, accountId: string): Promise<string | null> {
  const row = await reader
    .selectFrom('accounts')
    .leftJoin('credentials', 'credentials.account_id', 'accounts.id')
    .select('credentials.password_hash')
    .where('accounts.id', '=', accountId)
    .where('accounts.issuer', '=', LOCAL_ISSUER)
    .where('accounts.disabled', '=', 0)
    .executeTakeFirst();
  return row ? markOf(row.password_hash) : null;
}
