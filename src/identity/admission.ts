import type { Database, Transaction } from '../kernel/database/database.ts';
import { Problem } from '../kernel/problem.ts';
import { type Account, LOCAL_ISSUER, normalizeEmail } from './account.ts';
import type { Accounts } from './accounts.ts';
import type { Identified } from './login/relying-party.ts';

interface AdmissionDeps {
  database: Database;
  accounts: Accounts;
  /** Addresses and `@domain` suffixes, lower case. */
  allowed: readonly string[];
  adminEmail: string | null;
}

/**
 * Returns the account of a person that the issuer has authenticated, and creates it where that is allowed.
 * @throws Problem 403 `account_not_allowed`
 */
export type Admission = (person: Identified) => Promise<Account>;

/**
 * Decides which people are admitted. With the embedded issuer: those who already have an account. With an external
 * issuer: also those that the operator allows (`allowed`, `adminEmail`) or an administrator has invited.
 */
export function createAdmission(deps: AdmissionDeps): Admission {
  const { database } = deps;
  return async (person) => {
    try {
      return await database.transaction((trx) => admit(trx, deps, person));
    } catch (error) {
      // A simultaneous first sign-in of the same person has created the account.
      if (!(error instanceof Problem) || error.code !== 'email_taken') throw error;
      return await database.transaction((trx) => admit(trx, deps, person));
    }
  };
}

async function admit(trx: Transaction, deps: AdmissionDeps, person: Identified): Promise<Account> {
  const { accounts } = deps;
  const isLocal = accounts.issuer === LOCAL_ISSUER;
  const email = verifiedEmail(person);
  const isAdmin = !isLocal && email !== null && email === deps.adminEmail;
  const known = await accounts.bySubject(trx, person.subject);
  const account = known ?? (await admitNew(trx, deps, person, isAdmin));
  if (account.disabled)
    throw new Problem('account_not_allowed', 'This account is disabled. Ask an administrator.');
  if (isAdmin && account.role !== 'admin') await accounts.setRole(trx, account.id, 'admin');
  await accounts.recordSignIn(trx, account.id, isLocal ? {} : profileOf(person));
  return account;
}

async function admitNew(
  trx: Transaction,
  { accounts, allowed }: AdmissionDeps,
  person: Identified,
  isAdmin: boolean,
): Promise<Account> {
  const email = verifiedEmail(person);
  if (email === null) throw new Problem('account_not_allowed', reason(person));
  const invited = await accounts.claimInvitation(trx, email, person.subject);
  if (invited) return invited;
  const isAllowed = isAdmin || allowed.includes(email) || allowed.includes(domainOf(email));
  if (accounts.issuer === LOCAL_ISSUER || !isAllowed)
    throw new Problem('account_not_allowed', reason(person));
  return await accounts.create(trx, {
    email,
    name: person.name ?? '',
    role: isAdmin ? 'admin' : 'user',
    subject: person.subject,
  });
}

/** An address that the issuer has not verified does not identify a person. */
function verifiedEmail({ email, emailVerified }: Identified): string | null {
  return email !== null && emailVerified ? normalizeEmail(email) : null;
}

function profileOf(person: Identified): { email?: string; name?: string } {
  return { email: verifiedEmail(person) ?? undefined, name: person.name ?? undefined };
}

/** Returns the domain with its `@`. */
function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@'));
}

function reason({ email, emailVerified }: Identified): string {
  if (email === null) return 'Your OpenID provider sent no valid e-mail address.';
  if (!emailVerified) return `Your OpenID provider has not verified the address ${email}.`;
  return `${email} is not allowed to have an account. Ask an administrator for an invitation.`;
}
