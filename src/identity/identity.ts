import { type Clock, HOUR, MINUTE } from '../kernel/clock.ts';
import type { Vault } from '../kernel/crypto/vault.ts';
import type { Database } from '../kernel/database/database.ts';
import type { App, Ctx } from '../kernel/http/context.ts';
import { languageOf } from '../kernel/http/language.ts';
import type { Problems } from '../kernel/http/problems.ts';
import type { Attempts } from '../kernel/limits/attempts.ts';
import type { Log } from '../kernel/log.ts';
import type { Metrics } from '../kernel/metrics.ts';
import type { Service } from '../kernel/service.ts';
import { type AccountMails, createAccountMails, FORGOT_PATH } from './account-mails.ts';
import type { Accounts } from './accounts.ts';
import { createAdmission } from './admission.ts';
import { createGuard, type SessionGuard } from './guard.ts';
import { createIssuer, type Issuer } from './issuer/issuer.ts';
import { loadIssuerKeys } from './issuer/keys.ts';
import { createPayloads } from './issuer/payloads.ts';
import { createVouchers, type Vouchers } from './issuer/vouchers.ts';
import { type BrowserSignIn, createBrowserSignIn } from './login/browser-sign-in.ts';
import { createDevices, type Devices } from './login/devices.ts';
import { embeddedIssuer } from './login/embedded.ts';
import { externalIssuer } from './login/external.ts';
import { createPendingLogins } from './login/pending.ts';
import { createRelyingParty, type IssuerAccess } from './login/relying-party.ts';
import { createSessionCookie, type SessionCookie } from './login/session-cookie.ts';
import { createSignInMetrics, type SignInMetrics } from './login/sign-in-metrics.ts';
import { createSignInRate, type SignInRate } from './login/sign-in-rate.ts';
import type { Mailer } from './mailer.ts';
import type { Origins } from './origins.ts';
import { withProblemPage } from './pages/problem.ts';
import { welcomePage } from './pages/welcome.ts';
import { createPasswordLinks, type PasswordLinks } from './password-links.ts';
import { createPasswordLogin, type PasswordLogin } from './password-login.ts';
import { createPasswordReset, type PasswordReset } from './password-reset.ts';
import { mountAccount } from './routes/account.ts';
import { mountChangePassword } from './routes/change-password.ts';
import { mountForgotPassword } from './routes/forgot-password.ts';
import { mountLinks } from './routes/links.ts';
import { mountLogin } from './routes/login.ts';
import { mountLogout } from './routes/logout.ts';
import { mountMe, type ProfileOf } from './routes/me.ts';
import { mountPeople } from './routes/people.ts';
import { mountSessions } from './routes/sessions.ts';
import { mountTokens } from './routes/tokens.ts';
import { createSameOriginRule, type SameOriginRule } from './same-origin.ts';
import { createSetupLink, needsFirstAccount, SETUP_PATH } from './setup-link.ts';
import type { IdentityStores } from './stores.ts';

interface IdentityDeps {
  problems: Problems;
  /** Processes of this server. */
  processes: number;
  database: Database;
  clock: Clock;
  vault: Vault;
  log: Log;
  metrics: Metrics;
  attempts: Attempts;
  stores: IdentityStores;
  profileOf: ProfileOf;
  origins: Origins;
  /** Null = the embedded issuer. */
  external: { url: string; clientId: string; clientSecret: string; scope: string } | null;
  /** Null = the server sends no mails. */
  mailer: Mailer | null;
  /** Addresses that may have an account at an external issuer. */
  admitted: { allowed: readonly string[]; adminEmail: string | null };
}

interface Identity extends Service {
  guard: SessionGuard;
  /**
   * Returns the one-time link to create the first administrator, the same on all nodes; null when an administrator
   * exists, or with an external issuer.
   */
  setupLink(): Promise<string | null>;
  /** Returns the page for visitors in place of the web app; null when the request has a session cookie. */
  visitorPage(c: Ctx): Promise<Response> | null;
}

/** Accounts, sign-in and tokens; `guard` authenticates the requests of all services. */
export function createIdentity(deps: IdentityDeps): Identity {
  const { stores, origins } = deps;
  const isSameOrigin = createSameOriginRule(origins);
  const secure = origins[0].startsWith('https:');
  const cookie = createSessionCookie(secure);
  const devices = createDevices({ ...deps, accounts: stores.accounts, secure });
  const browserSignIn = createBrowserSignIn({ accounts: stores.accounts, cookie, devices, secure });
  const guard = createGuard({ ...stores, cookie, isSameOrigin, attempts: deps.attempts });
  const signInRate = createSignInRate(deps);
  const signIns = createSignInMetrics(deps.metrics);
  const setupLink = createSetupLink({ ...deps, accounts: stores.accounts });
  const passwordLinks = createPasswordLinks({ ...deps, publicUrl: origins[0] });
  const { mailer } = deps;
  const accountMails = mailer && createAccountMails({ mailer, publicUrl: origins[0], log: deps.log });
  const { access, embedded } = chooseIssuer({
    ...deps,
    signInRate,
    signIns,
    devices,
    cookie,
    isSameOrigin,
    passwordLinks,
    accountMails,
  });

  return {
    guard,
    async setupLink() {
      const token = embedded && (await setupLink.token());
      return token && `${origins[0]}${SETUP_PATH}/${token}`;
    },
    visitorPage: (c) => (cookie.read(c) === null ? showWelcome(c, stores.accounts) : null),
    mount(app) {
      const shared = {
        ...deps,
        ...stores,
        ...{ guard, cookie, devices, secure, browserSignIn, signIns, passwordLinks, accountMails },
      };
      mountSignIn(app, { ...shared, access, signInRate, vouchers: embedded?.vouchers ?? null });
      mountMe(app, shared);
      mountAccount(app, shared);
      mountTokens(app, shared);
      mountSessions(app, shared);
      mountPeople(app, shared);
      if (!embedded) return;
      mountChangePassword(app, { ...shared, passwordLogin: embedded.passwordLogin });
      mountLinks(app, { ...shared, setupLink });
      const { passwordReset } = embedded;
      if (passwordReset && accountMails)
        mountForgotPassword(app, { guard, passwordReset, delivers: accountMails.delivers });
      embedded.issuer.mount(app);
    },
    keepUp(upkeep) {
      upkeep.every(HOUR, 'sessions', stores.sessions.sweep);
      if (!embedded) return;
      upkeep.every(10 * MINUTE, 'issuer payloads', embedded.sweep);
      if (embedded.passwordReset)
        upkeep.every(HOUR, 'rates of password resets', embedded.passwordReset.sweep);
    },
    async stop() {
      await embedded?.passwordReset?.stop();
      await embedded?.issuer.stop();
    },
  };
}

function showWelcome(c: Ctx, accounts: Accounts): Promise<Response> {
  const { pathname, search } = new URL(c.req.url);
  return withProblemPage(c, async () =>
    welcomePage({
      language: languageOf(c),
      returnTo: pathname + search,
      needsFirstAccount: await needsFirstAccount(accounts),
    }),
  );
}

interface SignInDeps extends IdentityDeps, IdentityStores {
  guard: SessionGuard;
  cookie: SessionCookie;
  browserSignIn: BrowserSignIn;
  access: IssuerAccess;
  signInRate: SignInRate;
  signIns: SignInMetrics;
  vouchers: Vouchers | null;
}

function mountSignIn(app: App, deps: SignInDeps): void {
  const { origins, admitted, access, log } = deps;
  const relyingParty = createRelyingParty(access, log);
  const pendingLogins = createPendingLogins({ ...deps, secure: origins[0].startsWith('https:') });
  const admission = createAdmission({ ...deps, ...admitted });
  const takeSignIn = async (state: string) => (await deps.vouchers?.take(state)) ?? null;
  mountLogin(app, { ...deps, relyingParty, pendingLogins, admission, takeSignIn });
  mountLogout(app, { ...deps, relyingParty });
}

interface ChosenIssuer {
  access: IssuerAccess;
  embedded: {
    issuer: Issuer;
    passwordLogin: PasswordLogin;
    passwordReset: PasswordReset | null;
    vouchers: Vouchers;
    sweep: () => Promise<void>;
  } | null;
}

interface ChooseIssuerDeps extends IdentityDeps {
  signInRate: SignInRate;
  signIns: SignInMetrics;
  devices: Devices;
  cookie: SessionCookie;
  isSameOrigin: SameOriginRule;
  passwordLinks: PasswordLinks;
  accountMails: AccountMails | null;
}

function chooseIssuer(deps: ChooseIssuerDeps): ChosenIssuer {
  const { database, vault, stores, origins, external, accountMails } = deps;
  if (external) return { access: externalIssuer({ ...external, clock: deps.clock }), embedded: null };
  const { accounts, sessions } = stores;
  const payloads = createPayloads(deps);
  const keys = () => loadIssuerKeys(database, vault);
  const passwordLogin = createPasswordLogin({ ...deps, accounts });
  const passwordReset = accountMails && createPasswordReset({ ...deps, accounts, accountMails });
  const forgotPath = accountMails && FORGOT_PATH;
  const vouchers = createVouchers(payloads);
  const sessionOf = async (cookies: string | undefined) => {
    const token = deps.cookie.readHeader(cookies);
    return token === null ? null : await sessions.find(token);
  };
  const signIn = { passwordLogin, vouchers, sessionOf, forgotPath };
  const issuer = createIssuer({ ...deps, ...signIn, accounts, keys, payloads });
  return {
    access: embeddedIssuer({ origins, issuer, keys }),
    embedded: { issuer, passwordLogin, passwordReset, vouchers, sweep: payloads.sweep },
  };
}
