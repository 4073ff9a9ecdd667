import type { Transaction } from '../../kernel/database/database.ts';
import { Problem } from '../../kernel/problem.ts';
import { passwordMarkOf } from '../passwords/password-mark.ts';
import type { Sessions } from '../sessions.ts';

/**
 * Returns a text for the proof of identity in a sign-in: the password, or the session at the first address. The
 * embedded issuer passes it to the callback as the claim `acr` of the ID token, the only one that its library takes
 * from the result of the sign-in page.
 * @param value mark of the password, or id of the session
 */
export function proofOf(kind: 'password' | 'session', value: string): string {
  return `${kind}:${value}`;
}

/**
 * Checks, with the account locked, that the proof of a sign-in is still valid: minutes can pass between the sign-in
 * page and the callback. Returns the id of the session that the sign-in used; null = the person has entered the
 * password.
 * @throws Problem 400 `login_failed`
 */
export async function requireProof(
  trx: Transaction,
  sessions: Pick<Sessions, 'isActive'>,
  accountId: string,
  proof: string | null,
): Promise<string | null> {
  const [kind, value = ''] = proof?.split(':') ?? [];
  if (kind === 'session' && (await sessions.isActive(trx, accountId, value))) return value;
  if (kind === 'password' && value === (await passwordMarkOf(trx, accountId))) return null;
  throw new Problem(
    'login_failed',
    'The password was changed, or the session ended, during the sign-in. Try again.',
  );
}
