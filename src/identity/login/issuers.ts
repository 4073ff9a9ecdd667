import type { Clock } from '../../kernel/clock.ts';
import type { Vault } from '../../kernel/crypto/vault.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Problems } from '../../kernel/http/problems.ts';
import type { Attempts } from '../../kernel/limits/attempts.ts';
import type { Log } from '../../kernel/log.ts';
import { type AccountMails, FORGOT_PATH } from '../account-mails.ts';
import { createIssuer, type Issuer } from '../issuer/issuer.ts';
import { loadIssuerKeys } from '../issuer/keys.ts';
import { createPayloads } from '../issuer/payloads.ts';
import { createVouchers, type Vouchers } from '../issuer/vouchers.ts';
import type { Origins } from '../origins.ts';
import type { PasswordLinks } from '../password-links.ts';
import { createPasswordLogin, type PasswordLogin } from '../password-login.ts';
import { createPasswordReset, type PasswordReset } from '../password-reset.ts';
import type { SameOriginRule } from '../same-origin.ts';
import type { IdentityStores } from '../stores.ts';
import { embeddedIssuer } from './embedded.ts';
import { externalIssuer } from './external.ts';
import type { IssuerAccess } from './relying-party.ts';
import type { SignIn } from './sign-in.ts';

export interface ExternalIssuer {
  url: string;
  clientId: string;
  clientSecret: string;
  scope: string;
}

/** The embedded issuer, and the modules of local accounts. */
export interface Embedded {
  issuer: Issuer;
  passwordLogin: PasswordLogin;
  /** Null = the server sends no mails. */
  passwordReset: PasswordReset | null;
  vouchers: Vouchers;
  /** Deletes expired payloads. */
  sweep(): Promise<void>;
}

interface ChosenIssuer {
  access: IssuerAccess;
  /** Null = the issuer is external. */
  embedded: Embedded | null;
}

interface EmbeddedDeps {
  database: Database;
  clock: Clock;
  vault: Vault;
  log: Log;
  attempts: Attempts;
  problems: Problems;
  /** Processes of this server. */
  processes: number;
  stores: IdentityStores;
  origins: Origins;
  isSameOrigin: SameOriginRule;
  signIn: SignIn;
  passwordLinks: PasswordLinks;
  accountMails: AccountMails | null;
}

interface ChooseIssuerDeps extends EmbeddedDeps {
  /** Null = the embedded issuer. */
  external: ExternalIssuer | null;
}

/** Returns the issuer of the accounts, as the settings choose it. */
export function chooseIssuer({ external, ...deps }: ChooseIssuerDeps): ChosenIssuer {
  return external
    ? { access: externalIssuer({ ...external, clock: deps.clock }), embedded: null }
    : createEmbedded(deps);
}

function createEmbedded(deps: EmbeddedDeps): ChosenIssuer {
  const { database, clock, vault, log, attempts, problems, processes } = deps;
  const { stores, origins, isSameOrigin, signIn, passwordLinks, accountMails } = deps;
  const { accounts, sessions } = stores;
  const { cookie, devices, signInRate, signIns } = signIn;
  const payloads = createPayloads({ database, clock, vault });
  const vouchers = createVouchers(payloads);
  const keys = () => loadIssuerKeys(database, vault);
  const passwordLogin = createPasswordLogin({ accounts, attempts, database, devices });
  const passwordReset =
    accountMails &&
    createPasswordReset({ database, clock, processes, log, accounts, passwordLinks, accountMails });
  const issuer = createIssuer({
    origins,
    accounts,
    keys,
    payloads,
    log,
    passwordLogin,
    devices,
    isSameOrigin,
    problems,
    forgotPath: accountMails && FORGOT_PATH,
    signInRate,
    signIns,
    vouchers,
    async sessionOf(cookies) {
      const token = cookie.readHeader(cookies);
      return token === null ? null : await sessions.find(token);
    },
  });
  return {
    access: embeddedIssuer({ origins, issuer, keys }),
    embedded: { issuer, passwordLogin, passwordReset, vouchers, sweep: payloads.sweep },
  };
}
