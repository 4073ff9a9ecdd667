import { z } from '@hono/zod-openapi';
import type { Database } from '../../kernel/database/database.ts';
import { json } from '../../kernel/http/bodies/request-body.ts';
import type { App } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { languageOf } from '../../kernel/http/language.ts';
import type { AccountMails } from '../account-mails.ts';
import { passwordField } from '../fields.ts';
import type { SessionGuard } from '../guard.ts';
import type { BrowserSignIn } from '../login/browser-sign-in.ts';
import type { Devices } from '../login/devices.ts';
import type { PasswordLogin } from '../passwords/password-login.ts';
import type { IdentityStores } from '../stores.ts';

interface ChangePasswordDeps {
  database: Database;
  stores: IdentityStores;
  guard: SessionGuard;
  browserSignIn: BrowserSignIn;
  passwordLogin: PasswordLogin;
  devices: Devices;
  /** Null = the server sends no e-mails. */
  accountMails: AccountMails | null;
}

const passwordChange = z.object({ currentPassword: z.string(), newPassword: passwordField });

/** The caller's own password; local accounts only. */
export function mountChangePassword(app: App, deps: ChangePasswordDeps): void {
  const { database, stores, guard, browserSignIn, passwordLogin, devices, accountMails } = deps;
  const { accounts, sessions } = stores;

  endpoint(app, {
    method: 'post',
    path: '/api/account/password',
    operation: 'changePassword',
    summary: 'Change your password',
    tags: ['account'],
    auth: guard.session,
    body: json(passwordChange),
    responses: {
      204: {
        description: 'Changed. All other sessions and all tokens have ended. Sets a new session cookie.',
      },
    },
    problems: ['bad_credentials', 'too_many_attempts'],
    async handler({ c, caller, body: { currentPassword, newPassword } }) {
      const { accountId, email } = caller;
      const origin = { address: c.env.address, deviceToken: devices.read(c.req.header('Cookie')) };
      await passwordLogin(email, currentPassword, origin);
      const hash = await accounts.hashPassword(newPassword, accountId);
      const token = await database.transaction(async (trx) => {
        await accounts.lock(trx, accountId);
        // Another change of the password since the check of the current one has ended this session.
        await sessions.requireActive(trx, caller);
        await accounts.setPassword(trx, accountId, hash);
        return await sessions.start(trx, { accountId, userAgent: c.req.header('User-Agent') ?? '' });
      });
      await browserSignIn(c, { accountId, token });
      const account = await accounts.byId(accountId);
      if (account) await accountMails?.passwordChanged(account, languageOf(c));
    },
  });
}
