import type { Clock } from '../kernel/clock.ts';
import { HOUR } from '../kernel/clock.ts';
import type { Vault } from '../kernel/crypto/vault.ts';
import type { Database } from '../kernel/database/database.ts';
import type { Ctx } from '../kernel/http/context.ts';
import type { Attempts } from '../kernel/limits/attempts.ts';
import type { Log } from '../kernel/log.ts';
import type { Service } from '../kernel/service.ts';
import { createAdmission } from './admission.ts';
import { createGuard, type Guard } from './guard.ts';
import { createIssuer, type Issuer } from './issuer/issuer.ts';
import { loadIssuerKeys } from './issuer/keys.ts';
import { createPayloads } from './issuer/payloads.ts';
import { embeddedIssuer } from './login/embedded.ts';
import { externalIssuer } from './login/external.ts';
import { createPendingLogins } from './login/pending.ts';
import { createRelyingParty, type IssuerAccess } from './login/relying-party.ts';
import type { Origins } from './origins.ts';
import { createPasswordLinks } from './password-links.ts';
import { createPasswordLogin, type PasswordLogin } from './password-login.ts';
import type { People } from './people.ts';
import { mountAccount } from './routes/account.ts';
import { mountLogin } from './routes/login.ts';
import { mountMe, type ProfileOf } from './routes/me.ts';
import { mountPassword } from './routes/password.ts';
import { mountPeople } from './routes/people.ts';
import { mountSetup, SETUP_PATH } from './routes/setup.ts';
import { mountWelcome } from './routes/welcome.ts';
import { createSameOriginRule } from './same-origin.ts';
import { createSetupLink } from './setup-link.ts';

interface IdentityParts {
  database: Database;
  clock: Clock;
  vault: Vault;
  log: Log;
  attempts: Attempts;
  people: People;
  profileOf: ProfileOf;
  origins: Origins;
  /** Null = the embedded issuer. */
  external: { url: string; clientId: string; clientSecret: string } | null;
  /** Who may have an account at an external issuer. */
  admitted: { allowed: readonly string[]; adminEmail: string | null };
}

interface Identity extends Service {
  guard: Guard;
  isAdmin(c: Ctx): Promise<boolean>;
  /** A new one-time link that makes the administrator account; null when there is one, or an external issuer. */
  setupLink(): Promise<string | null>;
}

/** People: who they are, how they sign in, and the guard that tells the other services. */
export function createIdentity(parts: IdentityParts): Identity {
  const { database, clock, vault, log, people, profileOf, origins, admitted } = parts;
  const { accounts, sessions, tokens } = people;
  const guard = createGuard({ sessions, tokens, origins });
  const { access, embedded } = chooseIssuer(parts);
  const relyingParty = createRelyingParty({ issuer: access, log });
  const pendingLogins = createPendingLogins({ vault, clock, secure: origins[0].startsWith('https:') });
  const admission = createAdmission({ database, accounts, ...admitted });
  const passwordLinks = createPasswordLinks({ database, clock, vault });
  const setupLink = createSetupLink({ database, accounts });

  return {
    guard,
    isAdmin: async (c) => (await guard.sessionOf(c))?.role === 'admin',
    async setupLink() {
      const token = embedded && (await setupLink.renew());
      return token && `${origins[0]}${SETUP_PATH}/${token}`;
    },
    mount(app) {
      mountWelcome(app, { accounts });
      mountMe(app, { guard, profileOf });
      mountLogin(app, { database, sessions, guard, relyingParty, pendingLogins, admission, origins, log });
      mountAccount(app, { database, clock, people, guard, passwordLogin: embedded?.passwordLogin ?? null });
      mountPeople(app, { database, accounts, passwordLinks, guard, publicUrl: origins[0] });
      if (!embedded) return;
      mountPassword(app, { database, people, passwordLinks, guard });
      mountSetup(app, { database, accounts, sessions, setupLink, guard });
      embedded.issuer.mount(app);
    },
    keepUp(upkeep) {
      upkeep.every(HOUR, 'sessions', sessions.sweep);
      if (embedded) upkeep.every(HOUR, 'issuer payloads', embedded.sweep);
    },
    async stop() {
      await embedded?.issuer.stop();
    },
  };
}

interface ChosenIssuer {
  access: IssuerAccess;
  embedded: { issuer: Issuer; passwordLogin: PasswordLogin; sweep: () => Promise<void> } | null;
}

function chooseIssuer({ database, clock, vault, log, attempts, people: { accounts }, origins, external }: IdentityParts): ChosenIssuer {
  if (external) return { access: externalIssuer(external), embedded: null };
  const payloads = createPayloads({ database, clock, vault });
  const keys = () => loadIssuerKeys(database, vault);
  const passwordLogin = createPasswordLogin({ accounts, attempts, database });
  const isSameOrigin = createSameOriginRule(origins);
  const issuer = createIssuer({ origins, accounts, keys, payloads, log, passwordLogin, isSameOrigin });
  return { access: embeddedIssuer({ origin: origins[0], issuer, keys }), embedded: { issuer, passwordLogin, sweep: payloads.sweep } };
}
