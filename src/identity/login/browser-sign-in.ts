import type { Ctx } from '../../kernel/http/context.ts';
import type { Accounts } from '../accounts.ts';
import type { Devices } from './devices.ts';
import { setLanguageCookie } from './language-cookie.ts';
import type { SessionCookie } from './session-cookie.ts';

interface BrowserSignInDeps {
  accounts: Pick<Accounts, 'byId'>;
  cookie: SessionCookie;
  devices: Devices;
  secure: boolean;
}

/** Sets the cookies of a session that has started: the session, the device, the language that the person chose. */
export type BrowserSignIn = (c: Ctx, session: { accountId: string; token: string }) => Promise<void>;

export function createBrowserSignIn({ accounts, cookie, devices, secure }: BrowserSignInDeps): BrowserSignIn {
  return async (c, { accountId, token }) => {
    cookie.set(c, token);
    await devices.remember(c, accountId);
    const language = (await accounts.byId(accountId))?.language;
    if (language) setLanguageCookie(c, language, secure);
  };
}
