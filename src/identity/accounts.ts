import type { Selectable, Updateable } from 'kysely';
import type { Clock } from '../kernel/clock.ts';
import type { Passwords } from '../kernel/crypto/passwords.ts';
import type { Database, Reader, Transaction } from '../kernel/database/database.ts';
import { newId } from '../kernel/ids.ts';
import type { Language } from '../kernel/language.ts';
import { Problem } from '../kernel/problem.ts';
import { type Account, LOCAL_ISSUER, type NewAccount, normalizeEmail, toAccount } from './account.ts';
import { lockAccount } from './account-lock.ts';
import type { AccountRole } from './caller.ts';
import { markOf } from './passwords/password-mark.ts';
import type { AccountsTable } from './tables.ts';

/** Runs in the transaction that creates an account, to create its dependent rows atomically. */
export type AccountCreated = (
  trx: Transaction,
  account: { id: string; email: string; name: string },
) => Promise<void>;

interface AccountsDeps {
  database: Database;
  clock: Clock;
  passwords: Passwords;
  /** Issuer of new accounts: `local`, or the URL of the external issuer. */
  issuer: string;
  accountCreated: AccountCreated;
  /** Ends every session and token of an account. */
  endAccess: (trx: Transaction, accountId: string) => Promise<void>;
}

/** A local account whose password was entered. */
export interface PasswordMatch {
  account: Account;
  /** Identifies the password that was entered, as `passwordMarkOf` does. */
  mark: string;
}

interface AccountLookup {
  byId(id: string, reader?: Reader): Promise<Account | null>;
  /** Returns the account with an address; of several issuers' accounts, the one of the current issuer. */
  byEmail(email: string): Promise<Account | null>;
  /** Returns the account with a `sub` claim of the current issuer. */
  bySubject(reader: Reader, subject: string): Promise<Account | null>;
  /**
   * Returns the local account with this address and password, disabled or not; null when the address is
   * unknown or the password is wrong, after the same time.
   */
  byPassword(email: string, password: string, owner: string): Promise<PasswordMatch | null>;
  /** Returns the accounts with these ids, in any order; unknown ids are left out. */
  byIds(ids: readonly string[]): Promise<Account[]>;
  /** Returns all accounts, oldest first. */
  list(): Promise<Account[]>;
  /** Reports whether an administrator exists, disabled or not. */
  hasAdmin(reader?: Reader): Promise<boolean>;
}

/** Accounts, identified by issuer and subject, never by an address alone. */
export interface Accounts extends AccountLookup {
  /** The issuer at which people sign in now. */
  readonly issuer: string;
  /**
   * Locks the rows of all administrators, so that two of them cannot remove each other at the same time. Call
   * it in each transaction of an administrator that creates or changes accounts, before `requireActive` of the
   * session. After a change that can remove an administrator, call `requireActiveAdmin` in the same transaction.
   */
  lockAdmins(trx: Transaction): Promise<void>;
  /** @throws Problem 409 `last_admin` when no enabled administrator is left */
  requireActiveAdmin(trx: Transaction): Promise<void>;
  /** Locks an account until the end of the transaction, see `lockAccount`. */
  lock(trx: Transaction, id: string): Promise<void>;
  /** @throws Problem 409 `email_taken` when a local account or an invitation with the address exists */
  create(trx: Transaction, account: NewAccount): Promise<Account>;
  /** Assigns the invitation of an address to a subject of the issuer; null when there is none. */
  claimInvitation(trx: Transaction, email: string, subject: string): Promise<Account | null>;
  rename(trx: Transaction, id: string, name: string): Promise<void>;
  /** @param language null = the preference of each browser */
  setLanguage(trx: Transaction, id: string, language: Language | null): Promise<void>;
  /** Records the language of the browser, for e-mails to a person who has chosen none. */
  setBrowserLanguage(trx: Transaction, id: string, language: Language): Promise<void>;
  /** Records a sign-in, with the profile that the issuer returned. */
  recordSignIn(trx: Transaction, id: string, profile?: { email?: string; name?: string }): Promise<void>;
  /** Ends the account's sessions and tokens. */
  setRole(trx: Transaction, id: string, role: AccountRole): Promise<void>;
  /** Ends the account's sessions and tokens. */
  setDisabled(trx: Transaction, id: string, disabled: boolean): Promise<void>;
  /** Ends the account's sessions and tokens. @param passwordHash from `hashPassword` */
  setPassword(trx: Transaction, id: string, passwordHash: string): Promise<void>;
  hashPassword: Passwords['hash'];
}

export function createAccounts(deps: AccountsDeps): Accounts {
  const { database, clock, passwords, issuer, endAccess } = deps;

  const update = async (trx: Transaction, id: string, values: Updateable<AccountsTable>) =>
    void (await trx.updateTable('accounts').set(values).where('id', '=', id).execute());

  return {
    ...createLookup(deps),
    issuer,
    lockAdmins,
    requireActiveAdmin,
    lock: (trx, id) => lockAccount(database, trx, id),
    create: (trx, account) => insertAccount(trx, deps, account),
    async claimInvitation(trx, email, subject) {
      const row = await trx
        .updateTable('accounts')
        .set({ subject })
        .where('issuer', '=', issuer)
        .where('email', '=', normalizeEmail(email))
        .where('subject', 'is', null)
        .returningAll()
        .executeTakeFirst();
      return row ? toAccount(row) : null;
    },
    rename: (trx, id, name) => update(trx, id, { name }),
    setLanguage: (trx, id, language) => update(trx, id, { language }),
    setBrowserLanguage: (trx, id, language) => update(trx, id, { browser_language: language }),
    async recordSignIn(trx, id, { email, name } = {}) {
      const profile = { ...(email ? { email: normalizeEmail(email) } : {}), ...(name ? { name } : {}) };
      await update(trx, id, { date_signed_in: clock.now(), ...profile });
    },
    async setRole(trx, id, role) {
      await update(trx, id, { role });
      await endAccess(trx, id);
    },
    async setDisabled(trx, id, disabled) {
      await update(trx, id, { disabled: disabled ? 1 : 0 });
      await endAccess(trx, id);
    },
    async setPassword(trx, id, passwordHash) {
      await lockAccount(database, trx, id);
      await storePasswordHash(trx, id, passwordHash, clock.now());
      await endAccess(trx, id);
    },
    hashPassword: passwords.hash,
  };
}

function createLookup({ database, passwords, issuer }: AccountsDeps): AccountLookup {
  const select = (reader: Reader = database.read) => reader.selectFrom('accounts').selectAll('accounts');
  const accountOrNull = (row: Selectable<AccountsTable> | undefined) => (row ? toAccount(row) : null);
  return {
    byId: async (id, reader) => accountOrNull(await select(reader).where('id', '=', id).executeTakeFirst()),
    async byEmail(email) {
      const query = select().where('email', '=', normalizeEmail(email)).orderBy('date_created', 'desc');
      const rows = await query.execute();
      const current = rows.filter((row) => row.issuer === issuer);
      return accountOrNull(current.find((row) => row.subject !== null) ?? current[0] ?? rows[0]);
    },
    async bySubject(reader, subject) {
      const query = select(reader).where('issuer', '=', issuer).where('subject', '=', subject);
      return accountOrNull(await query.executeTakeFirst());
    },
    async byPassword(email, password, owner) {
      const row = await select()
        .leftJoin('credentials', 'credentials.account_id', 'accounts.id')
        .select('credentials.password_hash')
        .where('issuer', '=', LOCAL_ISSUER)
        // PostgreSQL refuses a query with U+0000.
        .where('email', '=', normalizeEmail(email).replaceAll('\0', '\ufffd'))
        .executeTakeFirst();
      const matches = await passwords.verify(password, row?.password_hash ?? null, owner);
      return row && matches ? { account: toAccount(row), mark: markOf(row.password_hash) } : null;
    },
    async byIds(ids) {
      if (ids.length === 0) return [];
      return (await select().where('id', 'in', ids).execute()).map(toAccount);
    },
    async list() {
      return (await select().orderBy('date_created').orderBy('id').execute()).map(toAccount);
    },
    async hasAdmin(reader) {
      return (await select(reader).where('role', '=', 'admin').limit(1).execute()).length > 0;
    },
  };
}

async function insertAccount(
  trx: Transaction,
  { clock, issuer, accountCreated }: AccountsDeps,
  { email, name, role, subject, passwordHash }: NewAccount,
): Promise<Account> {
  const id = newId();
  const address = normalizeEmail(email);
  const row: Selectable<AccountsTable> = {
    id,
    issuer,
    subject: issuer === LOCAL_ISSUER ? id : (subject ?? null),
    email: address,
    name: name?.trim() || (address.split('@')[0] ?? address),
    role,
    disabled: 0,
    date_created: clock.now(),
    date_signed_in: null,
    language: null,
    browser_language: null,
  };
  await trx
    .insertInto('accounts')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirstOrThrow(
      () => new Problem('email_taken', 'An account with this address already exists.'),
    );
  if (passwordHash) await storePasswordHash(trx, id, passwordHash, clock.now());
  await accountCreated(trx, { id, email: row.email, name: row.name });
  return toAccount(row);
}

async function storePasswordHash(
  trx: Transaction,
  accountId: string,
  passwordHash: string,
  now: number,
): Promise<void> {
  const values = { password_hash: passwordHash, date_changed: now };
  await trx
    .insertInto('credentials')
    .values({ account_id: accountId, ...values })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
    .execute();
}

async function lockAdmins(trx: Transaction): Promise<void> {
  // SQLite has no SELECT FOR UPDATE; an update without effect locks on both databases.
  const lock = trx.updateTable('accounts').set((row) => ({ role: row.ref('role') }));
  await lock.where('role', '=', 'admin').execute();
}

async function requireActiveAdmin(trx: Transaction): Promise<void> {
  const admins = trx.selectFrom('accounts').select('id').where('role', '=', 'admin');
  if ((await admins.where('disabled', '=', 0).limit(1).execute()).length > 0) return;
  const detail = 'This is the only administrator. Make another account an administrator first.';
  throw new Problem('last_admin', detail);
}
