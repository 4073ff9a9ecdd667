import { describeError, type Log } from '../kernel/log.ts';
import type { Account } from './account.ts';
import type { Mailer, MailResult } from './mailer.ts';

/** Path of the page that requests a link to choose a password. */
export const FORGOT_PATH = '/forgot-password';

/** The mails to people about their accounts. */
export interface AccountMails {
  /** False = mails go to the sandbox. */
  delivers: boolean;
  /**
   * Invites a person.
   * @param inviter name of the administrator
   * @param passwordLink to choose a password; null = the person signs in without
   */
  invite(account: Account, inviter: string, passwordLink: string | null): Promise<MailResult>;
  /** Sends a link to choose a new password. @param wait true = wait for the first attempt, 10 s at most */
  resetPassword(account: Account, passwordLink: string, wait: boolean): Promise<MailResult>;
  /** Reports to the owner that the password was changed. A failure is logged. */
  passwordChanged(account: Pick<Account, 'email' | 'name'>): Promise<void>;
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
    async invite({ email, name }, inviter, passwordLink) {
      const target = passwordLink ? { url: passwordLink, validity: 'seven days' } : { url: `${publicUrl}/` };
      const data = { ...common, name, inviter, ...target };
      return await mailer.send({ to: email, template: 'account-invitation', data }, true);
    },
    async resetPassword({ email, name }, passwordLink, wait) {
      const data = { ...common, name, url: passwordLink, validity: 'one hour' };
      return await mailer.send({ to: email, template: 'account-password-reset', data }, wait);
    },
    async passwordChanged({ email, name }) {
      const data = { ...common, name, url: publicUrl + FORGOT_PATH };
      const mail = { to: email, template: 'account-password-changed', data } as const;
      await mailer
        .send(mail, false)
        .catch((error) => log.error({ error: describeError(error) }, 'mail about a changed password failed'));
    },
  };
}
