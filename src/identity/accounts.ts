import type { Clock } from '../kernel/clock.ts';
import type { Passwords } from '../kernel/crypto/passwords.ts';
import type { Database, Reader, Transaction } from '../kernel/database/database.ts';
import { Problem } from '../kernel/http/problem.ts';
import { newId } from '../kernel/ids.ts';
import type { Role } from './guard.ts';
import type { AccountsTable } from './tables.ts';

/** The issuer of accounts whose passwords are kept here. */
export const LOCAL_ISSUER = 'local';

export interface Account {
  id: string;
  issuer: string;
  /** Null = invited, has not signed in yet. */
  subject: string | null;
  /** Lower case. */
  email: string;
  name: string;
  role: Role;
  disabled: boolean;
  /** Milliseconds. */
  dateCreated: number;
  dateSignedIn: number | null;
}

/** Called in the transaction that makes an account, so that what belongs to it comes to be with it or not at all. */
export type AccountCreated = (trx: Transaction, account: { id: string; email: string; name: string }) => Promise<void>;

export interface NewAccount {
  email: string;
  /** Empty = the part of the address before the `@`. */
  name?: string;
  role: Role;
  /** The person's `sub` at the external issuer; left out = invited. Means nothing for local accounts. */
  subject?: string;
  /** From `passwords.hash`; local accounts only. */
  passwordHash?: string;
}

interface AccountsParts {
  database: Database;
  clock: Clock;
  passwords: Passwords;
  /** Where people sign in now: new accounts belong to it. */
  issuer: string;
  accountCreated: AccountCreated;
  /** Ends every session and token of an account. */
  endAccess: (trx: Transaction, accountId: string) => Promise<void>;
}

export type Accounts = ReturnType<typeof createAccounts>;

/** People, keyed by issuer and subject, never by an address alone. */
export function createAccounts({ database, clock, passwords, issuer, accountCreated, endAccess }: AccountsParts) {
  const select = (reader: Reader) => reader.selectFrom('accounts').selectAll();

  async function change(trx: Transaction, id: string, values: Partial<Pick<AccountsTable, 'role' | 'disabled'>>): Promise<void> {
    await trx.updateTable('accounts').set(values).where('id', '=', id).execute();
    await endAccess(trx, id);
  }

  return {
    issuer,

    async byId(id: string, reader: Reader = database.read): Promise<Account | null> {
      return shaped(await select(reader).where('id', '=', id).executeTakeFirst());
    },

    /** The account with this address; where several issuers know it, that of the present one. */
    async byEmail(email: string, reader: Reader = database.read): Promise<Account | null> {
      const rows = await select(reader).where('email', '=', plainEmail(email)).orderBy('date_created', 'desc').execute();
      return shaped(
        rows.find((row) => row.issuer === issuer && row.subject !== null) ?? rows.find((row) => row.issuer === issuer) ?? rows[0],
      );
    },

    /** Of the present issuer. */
    async bySubject(reader: Reader, subject: string): Promise<Account | null> {
      return shaped(await select(reader).where('issuer', '=', issuer).where('subject', '=', subject).executeTakeFirst());
    },

    /** In the order in which they were made. */
    async list(reader: Reader = database.read): Promise<Account[]> {
      const rows = await select(reader).orderBy('date_created').orderBy('id').execute();
      return rows.map(toAccount);
    },

    /** Was there ever an administrator? Disabled ones count. */
    async hasAdmin(reader: Reader = database.read): Promise<boolean> {
      return (await reader.selectFrom('accounts').select('id').where('role', '=', 'admin').limit(1).executeTakeFirst()) !== undefined;
    },

    /**
     * Call before what may take an administrator away and `requireAdmin` after it, in one transaction: locks their rows,
     * so that two of them cannot remove each other at once.
     */
    async lockAdmins(trx: Transaction): Promise<void> {
      await trx
        .updateTable('accounts')
        .set((row) => ({ role: row.ref('role') }))
        .where('role', '=', 'admin')
        .execute();
    },

    /** @throws Problem 409 `last_admin` when no administrator is left who can sign in */
    async requireAdmin(trx: Transaction): Promise<void> {
      const admin = trx.selectFrom('accounts').select('id').where('role', '=', 'admin').where('disabled', '=', 0).limit(1);
      if (!(await admin.executeTakeFirst())) throw new Problem('last_admin', 'This is the only administrator. Make another one first.');
    },

    /** @throws Problem 409 `email_taken` when the address has a local account, or an invitation, already */
    async make(trx: Transaction, { email, name, role, subject, passwordHash }: NewAccount): Promise<Account> {
      const id = newId();
      const address = plainEmail(email);
      const row: AccountsTable = {
        id,
        issuer,
        subject: issuer === LOCAL_ISSUER ? id : (subject ?? null),
        email: address,
        name: name?.trim() || (address.split('@')[0] ?? address),
        role,
        disabled: 0,
        date_created: clock.now(),
        date_signed_in: null,
      };
      const inserted = await trx
        .insertInto('accounts')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst();
      if (!inserted) throw new Problem('email_taken', 'There is an account with this address already.');
      if (passwordHash) await setPasswordHash(trx, id, passwordHash, clock.now());
      await accountCreated(trx, { id, email: row.email, name: row.name });
      return toAccount(row);
    },

    /** Gives an invitation for `email` to the person who came with `subject`; null when there is none. */
    async claimInvitation(trx: Transaction, email: string, subject: string): Promise<Account | null> {
      const row = await trx
        .updateTable('accounts')
        .set({ subject })
        .where('issuer', '=', issuer)
        .where('email', '=', plainEmail(email))
        .where('subject', 'is', null)
        .returningAll()
        .executeTakeFirst();
      return shaped(row);
    },

    async rename(trx: Transaction, id: string, name: string): Promise<void> {
      await trx.updateTable('accounts').set({ name }).where('id', '=', id).execute();
    },

    /** Writes down a login, and what the issuer says of the person now. */
    async noteSignIn(trx: Transaction, id: string, profile: { email?: string; name?: string } = {}): Promise<void> {
      await trx
        .updateTable('accounts')
        .set({
          date_signed_in: clock.now(),
          ...(profile.email ? { email: plainEmail(profile.email) } : {}),
          ...(profile.name ? { name: profile.name } : {}),
        })
        .where('id', '=', id)
        .execute();
    },

    /** Ends the account's sessions and tokens. */
    setRole: (trx: Transaction, id: string, role: Role) => change(trx, id, { role }),

    /** Ends the account's sessions and tokens. */
    setDisabled: (trx: Transaction, id: string, disabled: boolean) => change(trx, id, { disabled: disabled ? 1 : 0 }),

    /** Ends the account's sessions and tokens. @param passwordHash from `hashPassword` */
    async setPassword(trx: Transaction, id: string, passwordHash: string): Promise<void> {
      await setPasswordHash(trx, id, passwordHash, clock.now());
      await endAccess(trx, id);
    },

    hashPassword: (password: string) => passwords.hash(password),

    /** The local account with this address and password, disabled or not; null takes as long whether the account is missing or the password wrong. */
    async byPassword(email: string, password: string): Promise<Account | null> {
      const row = await database.read
        .selectFrom('accounts')
        .leftJoin('credentials', 'credentials.account_id', 'accounts.id')
        .selectAll('accounts')
        .select('credentials.password_hash')
        .where('accounts.issuer', '=', LOCAL_ISSUER)
        // PostgreSQL cannot even be asked for a text with U+0000.
        .where('accounts.email', '=', plainEmail(email).replaceAll('\0', '\ufffd'))
        .executeTakeFirst();
      const right = await passwords.verify(password, row?.password_hash ?? null);
      return right ? shaped(row) : null;
    },
  };
}

async function setPasswordHash(trx: Transaction, id: string, hash: string, now: number): Promise<void> {
  await trx
    .insertInto('credentials')
    .values({ account_id: id, password_hash: hash, date_changed: now })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ password_hash: hash, date_changed: now }))
    .execute();
}

function shaped(row: AccountsTable | undefined): Account | null {
  return row ? toAccount(row) : null;
}

function toAccount(row: AccountsTable): Account {
  return {
    id: row.id,
    issuer: row.issuer,
    subject: row.subject,
    email: row.email,
    name: row.name,
    role: row.role,
    disabled: row.disabled === 1,
    dateCreated: row.date_created,
    dateSignedIn: row.date_signed_in,
  };
}

/** Addresses are compared without regard to case, as every large mail host does. */
export function plainEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}
