import { z } from '@hono/zod-openapi';
import type { Database } from '../../kernel/database/database.ts';
import { anyone } from '../../kernel/http/auth.ts';
import type { App, Ctx } from '../../kernel/http/context.ts';
import { htmlPage } from '../../kernel/http/describe.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { languageOf } from '../../kernel/http/language.ts';
import { opaque } from '../../kernel/http/params.ts';
import { Problem } from '../../kernel/problem.ts';
import { optionalNameField } from '../../kernel/shared-fields.ts';
import type { Account } from '../account.ts';
import type { AccountMails } from '../account-mails.ts';
import { emailField, passwordField } from '../fields.ts';
import type { SessionGuard } from '../guard.ts';
import type { BrowserSignIn } from '../login/browser-sign-in.ts';
import type { SignInMetrics } from '../login/sign-in-metrics.ts';
import { invalidLinkPage, passwordPage, passwordSetPage, setupPage } from '../pages/links.ts';
import { type LinkKind, PASSWORD_PATH, type PasswordLinks } from '../passwords/password-links.ts';
import { SETUP_PATH, type SetupLink } from '../setup-link.ts';
import type { IdentityStores } from '../stores.ts';
import { pageForm } from './form.ts';

interface LinkRoutesDeps {
  database: Database;
  stores: IdentityStores;
  setupLink: SetupLink;
  passwordLinks: PasswordLinks;
  guard: SessionGuard;
  browserSignIn: BrowserSignIn;
  /** Null = the server sends no e-mails. */
  accountMails: AccountMails | null;
  signIns: SignInMetrics;
}

const administrator = z.object({ name: optionalNameField, email: emailField, password: passwordField });

const shared = { tags: ['login'], params: { token: opaque } };
const invalid = { 404: htmlPage('The link is invalid or no longer valid.') } as const;
const shown = {
  ...shared,
  method: 'get',
  auth: anyone,
  responses: { 200: htmlPage('A form.'), ...invalid },
} as const;

const invalidSetupLink = (c: Ctx) => invalidLinkPage(languageOf(c), 'setup');
const invalidPasswordLink = (c: Ctx) => invalidLinkPage(languageOf(c), 'password');

/** The pages behind one-time links: choose a password, and create the first administrator. */
export function mountPasswordLinks(app: App, deps: LinkRoutesDeps): void {
  mountPassword(app, deps);
  mountSetup(app, deps);
}

function mountSetup(app: App, deps: LinkRoutesDeps): void {
  const { setupLink, guard } = deps;
  const path = `${SETUP_PATH}/{token}` as const;

  endpoint(app, {
    ...shown,
    path,
    operation: 'showSetupPage',
    summary: 'Show the page that creates the first administrator',
    handler: async ({ c, params: { token } }) =>
      (await setupLink.isValid(token)) ? await setupPage(languageOf(c)) : await invalidSetupLink(c),
  });

  endpoint(app, {
    ...shared,
    method: 'post',
    path,
    operation: 'createFirstAdministrator',
    summary: 'Create the first administrator',
    auth: guard.sameOrigin,
    body: pageForm(administrator),
    responses: {
      303: { description: 'Created and signed in; redirects to the start page.' },
      409: htmlPage('The form again: another account has this address.'),
      ...invalid,
    },
    async handler({ c, params: { token }, body: { fields, errors, texts } }) {
      // First, since hashing a password is expensive.
      if (!(await setupLink.isValid(token))) return await invalidSetupLink(c);
      if (!fields) return await setupPage(languageOf(c), { ...texts, status: 400, errors });
      try {
        const session = await createAdministrator(deps, token, fields, c.req.header('User-Agent') ?? '');
        if (session === null) return await invalidSetupLink(c);
        return await signIn(deps, c, session);
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== 'email_taken') throw error;
        const errors = [{ path: 'email', message: error.detail }];
        return await setupPage(languageOf(c), { ...texts, status: 409, errors });
      }
    },
  });
}

/** Returns the account and the token of its session; null when the link is no longer valid. */
async function createAdministrator(
  { database, stores: { accounts, sessions }, setupLink }: LinkRoutesDeps,
  token: string,
  { email, name, password }: z.output<typeof administrator>,
  userAgent: string,
): Promise<{ accountId: string; token: string } | null> {
  const passwordHash = await accounts.hashPassword(password, 'setup');
  return await database.transaction(async (trx) => {
    if (!(await setupLink.consume(trx, token))) return null;
    const { id } = await accounts.create(trx, { email, name, role: 'admin', passwordHash });
    await accounts.recordSignIn(trx, id);
    return { accountId: id, token: await sessions.start(trx, { accountId: id, userAgent }) };
  });
}

function mountPassword(app: App, deps: LinkRoutesDeps): void {
  const { guard, accountMails } = deps;
  const path = `${PASSWORD_PATH}/{token}` as const;

  endpoint(app, {
    ...shown,
    path,
    operation: 'showPasswordPage',
    summary: 'Show the page to choose a password',
    async handler({ c, params: { token } }) {
      const found = await findLink(deps, token);
      return found
        ? await passwordPage(languageOf(c), { email: found.account.email, kind: found.kind })
        : await invalidPasswordLink(c);
    },
  });

  endpoint(app, {
    ...shared,
    method: 'post',
    path,
    operation: 'choosePassword',
    summary: 'Choose a password',
    auth: guard.sameOrigin,
    body: pageForm(z.object({ password: passwordField })),
    responses: {
      303: { description: 'Set and signed in, after an invitation; redirects to the start page.' },
      200: htmlPage('Set, after a reset.'),
      ...invalid,
    },
    async handler({ c, params: { token }, body: { fields, errors } }) {
      const found = await findLink(deps, token);
      if (!found) return await invalidPasswordLink(c);
      const { account, kind } = found;
      if (!fields) {
        const explained = errors.map(({ path, message }) => ({ path, message: `The ${path} ${message}.` }));
        return await passwordPage(languageOf(c), {
          email: account.email,
          kind,
          status: 400,
          errors: explained,
        });
      }
      const userAgent = c.req.header('User-Agent') ?? '';
      const choice = { token, accountId: account.id, password: fields.password, userAgent };
      const chosen = await choosePassword(deps, choice);
      if (!chosen) return await invalidPasswordLink(c);
      if (chosen.kind === 'reset') {
        await accountMails?.passwordChanged(account, languageOf(c));
        return await passwordSetPage(languageOf(c));
      }
      return await signIn(deps, c, { accountId: account.id, token: chosen.session });
    },
  });
}

/** Sets the session cookie and redirects to the start page. */
async function signIn(
  { browserSignIn, signIns }: LinkRoutesDeps,
  c: Ctx,
  session: { accountId: string; token: string },
): Promise<Response> {
  await browserSignIn(c, session);
  signIns.succeeded();
  return c.redirect('/', 303);
}

async function findLink(
  { stores, passwordLinks }: LinkRoutesDeps,
  token: string,
): Promise<{ account: Account; kind: LinkKind } | null> {
  const link = await passwordLinks.find(token);
  const account = link && (await stores.accounts.byId(link.accountId));
  return account ? { account, kind: link.kind } : null;
}

type Chosen = { kind: 'reset' } | { kind: 'invitation'; session: string };

/**
 * Sets the password, which ends all sessions and tokens. An invitation starts a session; after a reset, people sign in
 * as usual (OWASP Forgot Password Cheat Sheet).
 * @returns null when the link is no longer valid
 */
async function choosePassword(
  { database, stores: { accounts, sessions }, passwordLinks }: LinkRoutesDeps,
  choice: { token: string; accountId: string; password: string; userAgent: string },
): Promise<Chosen | null> {
  const { token, accountId, password, userAgent } = choice;
  const hash = await accounts.hashPassword(password, accountId);
  return await database.transaction(async (trx) => {
    await accounts.lock(trx, accountId);
    const link = await passwordLinks.find(token, trx);
    if (!link) return null;
    await accounts.setPassword(trx, accountId, hash);
    if (link.kind === 'reset') return { kind: link.kind };
    await accounts.recordSignIn(trx, accountId);
    return { kind: link.kind, session: await sessions.start(trx, { accountId, userAgent }) };
  });
}
