import { type Clock, HOUR, MINUTE } from '../kernel/clock.ts';
import type { Vault } from '../kernel/crypto/vault.ts';
import type { Database } from '../kernel/database/database.ts';
import type { Ctx } from '../kernel/http/context.ts';
import { languageOf } from '../kernel/http/language.ts';
import type { Problems } from '../kernel/http/problems/problems.ts';
import type { Attempts } from '../kernel/limits/attempts.ts';
import type { Log } from '../kernel/log.ts';
import type { Mailer } from '../kernel/mailer.ts';
import type { Metrics } from '../kernel/metrics/metrics.ts';
import type { Service } from '../kernel/service.ts';
import { createAccountMails } from './account-mails.ts';
import type { Accounts } from './accounts.ts';
import { createGuard, type SessionGuard } from './guard.ts';
import { chooseIssuer } from './issuers.ts';
import { createSignIn } from './login/sign-in.ts';
import { withProblemPage } from './pages/problem.ts';
import { welcomePage } from './pages/welcome.ts';
import { createPasswordLinks } from './passwords/password-links.ts';
import type { ProfileOf } from './routes/deps.ts';
import { mountIdentity } from './routes/routes.ts';
import { createSameOriginRule } from './same-origin.ts';
import type { IdentitySettings } from './settings.ts';
import { createSetupLink, needsFirstAccount, SETUP_PATH } from './setup-link.ts';
import type { IdentityStores } from './stores.ts';

interface IdentityDeps {
  problems: Problems;
  database: Database;
  clock: Clock;
  vault: Vault;
  log: Log;
  metrics: Metrics;
  attempts: Attempts;
  stores: IdentityStores;
  profileOf: ProfileOf;
  /** Null = the server sends no e-mails. */
  mailer: Mailer | null;
  settings: IdentitySettings;
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
  const { stores, settings, mailer, log } = deps;
  const { origins } = settings;
  const { accounts, sessions } = stores;
  const publicUrl = origins[0];
  const secure = publicUrl.startsWith('https:');
  const isSameOrigin = createSameOriginRule(origins);
  const signIn = createSignIn({ ...deps, ...settings, accounts, secure });
  const { cookie } = signIn;
  const guard = createGuard({ ...deps, ...stores, cookie, isSameOrigin });
  const setupLink = createSetupLink({ ...deps, accounts });
  const passwordLinks = createPasswordLinks({ ...deps, publicUrl });
  const accountMails = mailer && createAccountMails({ mailer, publicUrl, log });
  const issuer = chooseIssuer({ ...deps, ...settings, isSameOrigin, signIn, passwordLinks, accountMails });
  const { embedded } = issuer;

  return {
    guard,
    async setupLink() {
      const token = embedded && (await setupLink.token());
      return token && `${publicUrl}${SETUP_PATH}/${token}`;
    },
    visitorPage: (c) => (cookie.read(c.req.header('Cookie')) === null ? showWelcome(c, accounts) : null),
    mount: (app) =>
      mountIdentity(app, {
        ...deps,
        ...settings,
        secure,
        guard,
        signIn,
        issuer,
        setupLink,
        passwordLinks,
        accountMails,
      }),
    registerTasks(upkeep) {
      upkeep.every(HOUR, 'sessions', sessions.sweep);
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
