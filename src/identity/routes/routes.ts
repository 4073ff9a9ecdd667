import type { Clock } from '../../kernel/clock.ts';
import type { Vault } from '../../kernel/crypto/vault.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { App } from '../../kernel/http/context.ts';
import type { Log } from '../../kernel/log.ts';
import type { AccountMails } from '../account-mails.ts';
import { createAdmission } from '../admission.ts';
import type { SessionGuard } from '../guard.ts';
import type { AccountIssuer, Embedded } from '../issuers.ts';
import { createPendingLogins } from '../login/pending.ts';
import { createRelyingParty } from '../login/relying-party.ts';
import type { SignIn } from '../login/sign-in.ts';
import type { Origins } from '../origins.ts';
import type { PasswordLinks } from '../passwords/password-links.ts';
import type { SetupLink } from '../setup-link.ts';
import type { IdentityStores } from '../stores.ts';
import { mountAccount } from './account.ts';
import { mountChangePassword } from './change-password.ts';
import { mountForgotPassword } from './forgot-password.ts';
import { mountPasswordLinks } from './links.ts';
import { mountLogin } from './login.ts';
import { mountLogout } from './logout.ts';
import { mountMe, type ProfileOf } from './me.ts';
import { mountPeople } from './people.ts';
import { mountSessions } from './sessions.ts';
import { mountTokens } from './tokens.ts';

interface SignInRoutesDeps {
  database: Database;
  clock: Clock;
  vault: Vault;
  log: Log;
  stores: IdentityStores;
  origins: Origins;
  /** True when the public URL is https. */
  secure: boolean;
  /** Addresses that may have an account at an external issuer. */
  admitted: { allowed: readonly string[]; adminEmail: string | null };
  guard: SessionGuard;
  signIn: SignIn;
  issuer: AccountIssuer;
}

interface IdentityRoutesDeps extends SignInRoutesDeps {
  profileOf: ProfileOf;
  /** Origins of pages that may use tokens. */
  corsOrigins: readonly string[];
  setupLink: SetupLink;
  passwordLinks: PasswordLinks;
  /** Null = the server sends no e-mails. */
  accountMails: AccountMails | null;
}

/** Mounts the routes of identity. */
export function mountIdentity(app: App, deps: IdentityRoutesDeps): void {
  const { database, clock, stores, secure, guard, issuer, passwordLinks, accountMails } = deps;
  const { accounts, sessions, tokens } = stores;
  mountSignIn(app, deps);
  mountMe(app, { ...deps, accounts });
  mountAccount(app, { database, accounts, guard, secure });
  mountTokens(app, { database, clock, accounts, tokens, sessions, guard });
  mountSessions(app, { database, sessions, guard });
  mountPeople(app, { database, accounts, sessions, passwordLinks, guard, accountMails });
  if (issuer.embedded) mountLocalAccounts(app, deps, issuer.embedded);
}

function mountSignIn(app: App, deps: SignInRoutesDeps): void {
  const { database, clock, vault, log, stores, origins, secure, admitted, guard, signIn, issuer } = deps;
  const { accounts, sessions } = stores;
  const { cookie } = signIn;
  const relyingParty = createRelyingParty(issuer.access, log);
  mountLogin(app, {
    database,
    accounts,
    sessions,
    guard,
    signIn,
    relyingParty,
    pendingLogins: createPendingLogins({ vault, clock, secure }),
    admission: createAdmission({ database, accounts, ...admitted }),
    origins,
    isEmbedded: issuer.embedded !== null,
  });
  mountLogout(app, { database, sessions, guard, cookie, relyingParty, origins, log });
}

/** Mounts the routes of passwords and of the embedded issuer. */
function mountLocalAccounts(app: App, deps: IdentityRoutesDeps, embedded: Embedded): void {
  const { database, stores, guard, setupLink, passwordLinks, accountMails } = deps;
  const { browserSignIn, devices, signIns } = deps.signIn;
  const { passwordLogin, passwordReset, issuer } = embedded;
  mountChangePassword(app, {
    database,
    stores,
    guard,
    browserSignIn,
    passwordLogin,
    devices,
    accountMails,
  });
  mountPasswordLinks(app, {
    database,
    stores,
    setupLink,
    passwordLinks,
    guard,
    browserSignIn,
    accountMails,
    signIns,
  });
  if (passwordReset && accountMails)
    mountForgotPassword(app, { guard, passwordReset, delivers: accountMails.delivers });
  issuer.mount(app);
}
