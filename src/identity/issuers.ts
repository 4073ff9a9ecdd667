import type { Clock } from '../kernel/clock.ts';
import type { Vault } from '../kernel/crypto/vault.ts';
import type { Database } from '../kernel/database/database.ts';
import type { Attempts } from '../kernel/limits/attempts.ts';
import type { Log } from '../kernel/log.ts';
import { type AccountMails, FORGOT_PATH } from './account-mails.ts';
import type { PageDeps, SessionOf } from './issuer/interaction.ts';
import { createIssuer, type Issuer } from './issuer/issuer.ts';
import { loadIssuerKeys } from './issuer/keys.ts';
import { createPayloads } from './issuer/payloads.ts';
import { startProvider } from './issuer/start.ts';
import { embeddedIssuerAccess } from './login/embedded.ts';
import { externalIssuerAccess } from './login/external.ts';
import type { IssuerAccess } from './login/relying-party.ts';
import type { SignIn } from './login/sign-in.ts';
import type { PasswordLinks } from './passwords/password-links.ts';
import { createPasswordLogin, type PasswordLogin } from './passwords/password-login.ts';
import { createPasswordReset, type PasswordReset } from './passwords/password-reset.ts';
import type { IdentitySettings } from './settings.ts';
import type { IdentityStores } from './stores.ts';

/** The embedded issuer, and the modules of local accounts. */
export interface Embedded {
  issuer: Issuer;
  passwordLogin: PasswordLogin;
  /** Null = the server sends no e-mails. */
  passwordReset: PasswordReset | null;
  /** Deletes expired payloads. */
  sweep(): Promise<void>;
}

/** The issuer that signs accounts in. */
export interface AccountIssuer {
  access: IssuerAccess;
  /** Null = the issuer is external. */
  embedded: Embedded | null;
}

interface AccountIssuerDeps
  extends Pick<IdentitySettings, 'origins' | 'processes'>,
    Pick<PageDeps, 'isSameOrigin' | 'problems'> {
  log: Log;
  database: Database;
  clock: Clock;
  vault: Vault;
  attempts: Attempts;
  stores: IdentityStores;
  signIn: SignIn;
  passwordLinks: PasswordLinks;
  /** Null = the server sends no e-mails. */
  accountMails: AccountMails | null;
}

/** Returns the external issuer if one is set, otherwise the embedded one. */
export function chooseIssuer({
  external,
  ...deps
}: AccountIssuerDeps & Pick<IdentitySettings, 'external'>): AccountIssuer {
  return external
    ? { access: externalIssuerAccess({ ...external, clock: deps.clock }), embedded: null }
    : createEmbeddedIssuer(deps);
}

function createEmbeddedIssuer(deps: AccountIssuerDeps): AccountIssuer {
  const { database, clock, vault, log, attempts, problems, processes } = deps;
  const { stores, origins, isSameOrigin, signIn, passwordLinks, accountMails } = deps;
  const { accounts, sessions } = stores;
  const { cookie, devices } = signIn;
  const payloads = createPayloads({ database, clock, vault });
  const keys = () => loadIssuerKeys(database, vault);
  const passwordLogin = createPasswordLogin({ accounts, attempts, database, devices });
  const passwordReset =
    accountMails &&
    createPasswordReset({ database, clock, processes, log, accounts, passwordLinks, accountMails });
  const sessionOf: SessionOf = async (cookies) => {
    const token = cookie.read(cookies);
    return token === null ? null : await sessions.find(token);
  };
  const forgotPath = accountMails && FORGOT_PATH;
  const page = { sessionOf, passwordLogin, signIn, isSameOrigin, problems, forgotPath };
  const issuer = createIssuer({
    origins,
    log,
    signInRate: signIn.signInRate,
    sessionOf,
    start: async () => startProvider({ origins, accounts, keys: await keys(), payloads, log }, page),
  });
  return {
    access: embeddedIssuerAccess({ origins, issuer, keys }),
    embedded: { issuer, passwordLogin, passwordReset, sweep: payloads.sweep },
  };
}
