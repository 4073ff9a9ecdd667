import type { Selectable } from 'kysely';
import type { Language } from '../kernel/language.ts';
import type { Role } from './caller.ts';
import type { AccountsTable } from './tables.ts';

/** The issuer of accounts with a local password. */
export const LOCAL_ISSUER = 'local';

export interface Account {
  id: string;
  /** `local`, or the URL of the external issuer. */
  issuer: string;
  /** Null until an invited person signs in. */
  subject: string | null;
  /** Lower case. */
  email: string;
  name: string;
  role: Role;
  disabled: boolean;
  /** Milliseconds. */
  dateCreated: number;
  dateSignedIn: number | null;
  /** Language of pages and mails; null = the preference of each browser. */
  language: Language | null;
}

export interface NewAccount {
  email: string;
  /** Empty = the local part of the address. */
  name?: string;
  role: Role;
  /** The `sub` claim of the external issuer; absent = invited. Ignored for local accounts. */
  subject?: string;
  /** Result of `Accounts.hashPassword`; local accounts only. */
  passwordHash?: string;
}

export function toAccount(row: Selectable<AccountsTable>): Account {
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
    language: row.language,
  };
}

/** Returns the form in which addresses are stored and compared: NFC, lower case. */
export function normalizeEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}
