import type { Language } from '../../kernel/language.ts';

export interface Account {
  id: string;
  email: string;
  name: string;
  /** Language of e-mails; null = unknown. */
  mailLanguage: Language | null;
  /** True = it cannot sign in. */
  disabled: boolean;
}

/** The accounts of the server; implemented by the identity service. */
export interface Accounts {
  byEmail(email: string): Promise<Account | null>;
  /** Returns the accounts with these ids, in any order; unknown ids are left out. */
  byIds(ids: readonly string[]): Promise<Account[]>;
}
