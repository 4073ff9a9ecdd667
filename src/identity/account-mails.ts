import { inLanguages, type Language } from '../kernel/language.ts';
import type { Log } from '../kernel/log.ts';
import type { Mailer, NoticeResult } from '../kernel/mailer.ts';
import type { Account } from './account.ts';

/** Path of the page that requests a link to choose a password. */
export const FORGOT_PATH = '/forgot-password';

const textsOf = inLanguages(
  { sevenDays: 'seven days', oneHour: 'one hour' },
  { de: { sevenDays: 'sieben Tage', oneHour: 'eine Stunde' } },
);

type Recipient = Pick<Account, 'email' | 'name' | 'mailLanguage'>;

interface Mailing {
  /** Language for people whose language is unknown. */
  language: Language;
  /** True = wait for the first attempt, at most 10 s. */
  wait: boolean;
}

/** The e-mails to people about their accounts. */
export interface AccountMails {
  /** False = e-mails go to the sandbox. */
  delivers: boolean;
  /**
   * Invites a person, and waits for the first attempt.
   * @param inviter name of the administrator
   * @param passwordLink link to choose a password; null = the person signs in without one
   */
  invite(
    account: Recipient,
    invitation: { inviter: string; language: Language; passwordLink: string | null },
  ): Promise<NoticeResult>;
  /** Sends a link to choose a new password. */
  resetPassword(account: Recipient, passwordLink: string, mailing: Mailing): Promise<NoticeResult>;
  /** Reports to the owner that the password was changed. A failure is logged. */
  passwordChanged(account: Recipient, language: Language): Promise<void>;
}

interface AccountMailsDeps {
  mailer: Mailer;
  publicUrl: string;
  log: Log;
}

export function createAccountMails(deps: AccountMailsDeps): AccountMails {
  const { mailer, publicUrl, log } = deps;
  const common = { product: 'Posthouse', site: new URL(publicUrl).host };
  return {
    delivers: mailer.delivers,
    async invite({ email, name, ...account }, { inviter, passwordLink, ...request }) {
      const language = account.mailLanguage ?? request.language;
      const validity = textsOf(language).sevenDays;
      const target = passwordLink ? { url: passwordLink, validity } : { url: `${publicUrl}/` };
      const data = { ...common, name, inviter, ...target };
      return await mailer.send({ to: email, template: 'account-invitation', language, data }, true);
    },
    async resetPassword({ email, name, ...account }, url, { wait, ...request }) {
      const language = account.mailLanguage ?? request.language;
      const data = { ...common, name, url, validity: textsOf(language).oneHour };
      return await mailer.send({ to: email, template: 'account-password-reset', language, data }, wait);
    },
    async passwordChanged({ email, name, ...account }, browserLanguage) {
      const language = account.mailLanguage ?? browserLanguage;
      const data = { ...common, name, url: publicUrl + FORGOT_PATH };
      const mail = { to: email, template: 'account-password-changed', language, data } as const;
      await mailer
        .send(mail, false)
        .catch((error) => log.error({ error }, 'the e-mail about a changed password failed'));
    },
  };
}
