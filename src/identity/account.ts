import type { Selectable } from 'kysely';
import type { Language } from '../kernel/language.ts';
import type { AccountRole } from './caller.ts';
import type { AccountsTable } from './tables.ts';

/** The issuer of accounts with a local password. */
export const LOCAL_ISSUER = 'local';

export interface Account
  extends Pick<AccountsTable, 'id' | 'issuer' | 'subject' | 'email' | 'name' | 'role'> {
  disabled: boolean;
  /** Milliseconds. */
  dateCreated: number;
  dateSignedIn: number | null;
  /** Language of pages and e-mails; null = the preference of each browser. */
  language: Language | null;
  /** Language of e-mails: the chosen one, or else that of the browser that used the app last; null = unknown. */
  mailLanguage: Language | null;
}

export interface NewAccount {
  email: string;
  /** Empty = the local part of the address. */
  name?: string;
  role: AccountRole;
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
    mailLanguage: row.language ?? row.browser_language,
  };
}

/** Longer than any address of 254 bytes (RFC 5321 §4.5.3.1) before its normalization. */
const MAX_COMPOSED_LENGTH = 1_000;

/**
 * Returns the form in which addresses are stored and compared: NFC, lower case. A text above
 * `MAX_COMPOSED_LENGTH` is not an address and is not normalized, since the time for many accents on one
 * letter grows with the square of their number.
 */
export function normalizeEmail(email: string): string {
  const text = email.trim();
  return (text.length > MAX_COMPOSED_LENGTH ? text : text.normalize('NFC')).toLowerCase();
}
