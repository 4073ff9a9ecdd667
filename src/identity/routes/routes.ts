import type { Clock } from '../../kernel/clock.ts';
import type { Vault } from '../../kernel/crypto/vault.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { App } from '../../kernel/http/context.ts';
import type { Log } from '../../kernel/log.ts';
import { createAdmission } from '../admission.ts';
import type { SessionGuard } from '../guard.ts';
import type { AccountIssuer, Embedded } from '../issuers.ts';
import { createPendingLogins } from '../login/pending.ts';
import { createRelyingParty } from '../login/relying-party.ts';
import type { SignIn } from '../login/sign-in.ts';
import type { IdentitySettings } from '../settings.ts';
import type { SetupLink } from '../setup-link.ts';
import type { IdentityStores } from '../stores.ts';
import { mountAccount } from './account.ts';
import { mountChangePassword } from './change-password.ts';
import type { AccountRoutesDeps } from './deps.ts';
import { mountForgotPassword } from './forgot-password.ts';
import { mountPasswordLinks } from './links.ts';
import { mountLogin } from './login.ts';
import { mountLogout } from './logout.ts';
import { mountMe } from './me.ts';
import { mountPeople } from './people.ts';
import { mountSessions } from './sessions.ts';
import { mountTokens } from './tokens.ts';

interface SignInRoutesDeps extends Pick<IdentitySettings, 'origins' | 'admitted'> {
  database: Database;
  clock: Clock;
  vault: Vault;
  log: Log;
  stores: IdentityStores;
  /** True when the public URL is https. */
  secure: boolean;
  guard: SessionGuard;
  signIn: SignIn;
  issuer: AccountIssuer;
}

interface IdentityRoutesDeps extends SignInRoutesDeps, Omit<AccountRoutesDeps, keyof IdentityStores> {
  setupLink: SetupLink;
}

export function mountIdentity(app: App, deps: IdentityRoutesDeps): void {
  const shared: AccountRoutesDeps = { ...deps, ...deps.stores };
  const { embedded } = deps.issuer;
  mountSignIn(app, deps);
  mountMe(app, shared);
  mountAccount(app, shared);
  mountTokens(app, shared);
  mountSessions(app, shared);
  mountPeople(app, shared);
  if (embedded) mountLocalAccounts(app, deps, embedded);
}

function mountSignIn(app: App, deps: SignInRoutesDeps): void {
  const { log, stores, admitted, signIn, issuer } = deps;
  const modules = { ...deps, ...stores, relyingParty: createRelyingParty(issuer.access, log) };
  mountLogin(app, {
    ...modules,
    pendingLogins: createPendingLogins(deps),
    admission: createAdmission({ ...modules, ...admitted }),
    isEmbedded: issuer.embedded !== null,
  });
  mountLogout(app, { ...modules, cookie: signIn.cookie });
}

/** Mounts the routes of passwords and of the embedded issuer. */
function mountLocalAccounts(app: App, deps: IdentityRoutesDeps, embedded: Embedded): void {
  const { guard, accountMails } = deps;
  const { passwordReset, issuer } = embedded;
  const modules = { ...deps, ...deps.signIn };
  mountChangePassword(app, { ...modules, ...embedded });
  mountPasswordLinks(app, modules);
  if (passwordReset && accountMails)
    mountForgotPassword(app, { guard, passwordReset, delivers: accountMails.delivers });
  issuer.mount(app);
}
