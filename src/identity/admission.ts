import type { Database, Transaction } from '../kernel/database/database.ts';
import { Problem } from '../kernel/http/problem.ts';
import { type Account, type Accounts, LOCAL_ISSUER, plainEmail } from './accounts.ts';
import type { Identified } from './login/relying-party.ts';

interface AdmissionParts {
  database: Database;
  accounts: Accounts;
  /** Addresses and `@domain`s, lower case. */
  allowed: readonly string[];
  adminEmail: string | null;
}

/**
 * The account of a person whom the issuer has identified, made now where that is allowed.
 * @throws Problem 403 `account_not_allowed`
 */
export type Admission = (person: Identified) => Promise<Account>;

/** Who may have an account: at our own issuer whoever has one already, at another those whom the operator or an administrator named. */
export function createAdmission({ database, accounts, allowed, adminEmail }: AdmissionParts): Admission {
  const isAllowed = (email: string) => allowed.includes(email) || allowed.includes(email.slice(email.lastIndexOf('@')));

  return async (person) => {
    try {
      return await database.transaction((trx) => admit(trx, person));
    } catch (error) {
      // Two first logins of one person at the same moment: the other one has made the account.
      if (!(error instanceof Problem) || error.code !== 'email_taken') throw error;
      return await database.transaction((trx) => admit(trx, person));
    }
  };

  async function admit(trx: Transaction, person: Identified): Promise<Account> {
    const { subject, name } = person;
    // An address that the issuer has not verified is a claim of the person's own, and gives nothing.
    const email = person.email !== null && person.emailVerified ? plainEmail(person.email) : null;
    const isAdmin = email !== null && email === adminEmail && accounts.issuer !== LOCAL_ISSUER;
    const account = (await accounts.bySubject(trx, subject)) ?? (await admitNew(trx, person, email, isAdmin));
    if (account.disabled) throw new Problem('account_not_allowed', 'This account is disabled. Ask an administrator.');
    if (isAdmin && account.role !== 'admin') await accounts.setRole(trx, account.id, 'admin');
    await accounts.noteSignIn(
      trx,
      account.id,
      accounts.issuer === LOCAL_ISSUER ? {} : { email: email ?? undefined, name: name ?? undefined },
    );
    return account;
  }

  async function admitNew(trx: Transaction, person: Identified, email: string | null, isAdmin: boolean): Promise<Account> {
    if (email === null) throw new Problem('account_not_allowed', reason(person));
    const invited = await accounts.claimInvitation(trx, email, person.subject);
    if (invited) return invited;
    if (accounts.issuer === LOCAL_ISSUER || !(isAdmin || isAllowed(email))) throw new Problem('account_not_allowed', reason(person));
    return await accounts.make(trx, { email, name: person.name ?? '', role: isAdmin ? 'admin' : 'user', subject: person.subject });
  }
}

function reason({ email, emailVerified }: Identified): string {
  if (email === null) return 'Your OpenID provider told no e-mail address, so nobody can have allowed it.';
  if (!emailVerified) return `Your OpenID provider has not verified the address ${email}.`;
  return `Nobody has allowed an account for ${email}. Ask an administrator to invite you.`;
}
