import { z } from '@hono/zod-openapi';
import type { Database } from '../../kernel/database/database.ts';
import { anyone } from '../../kernel/http/auth.ts';
import type { App, Ctx } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Accounts } from '../accounts.ts';
import type { Admission } from '../admission.ts';
import type { SessionGuard } from '../guard.ts';
import { CALLBACK_PATH, LOGIN_PATH } from '../issuer/names.ts';
import { requireProof } from '../issuer/proof.ts';
import type { PendingLogins } from '../login/pending.ts';
import type { RelyingParty } from '../login/relying-party.ts';
import { checkReturnTo } from '../login/return-to.ts';
import type { SignIn } from '../login/sign-in.ts';
import { type Origins, ownOriginOf } from '../origins.ts';
import { withProblemPage } from '../pages/problem.ts';
import type { Sessions } from '../sessions.ts';

interface LoginRoutesDeps {
  database: Database;
  accounts: Pick<Accounts, 'lock'>;
  sessions: Sessions;
  guard: SessionGuard;
  signIn: Omit<SignIn, 'devices'>;
  relyingParty: RelyingParty;
  pendingLogins: PendingLogins;
  admission: Admission;
  origins: Origins;
  /** True = this server is the issuer. */
  isEmbedded: boolean;
}

const shared = { method: 'get', tags: ['login'] } as const;
const loginQuery = z.object({
  returnTo: z.string().optional().describe('path on this server to go to after the sign-in'),
  moved: z.literal('1').optional().describe('another host has redirected here'),
});
/** RFC 6749 §4.1.2 and RFC 9207 §2; the library reads the rest of the query itself. */
const callbackQuery = z.object({
  code: z.string().optional(),
  state: z.string().default(''),
  iss: z.string().optional(),
  error: z.string().optional(),
});

/** Sign-in through the OpenID provider: start, and callback. */
export function mountLogin(app: App, deps: LoginRoutesDeps): void {
  const { guard, relyingParty, pendingLogins, origins } = deps;
  const { signInRate, signIns } = deps.signIn;

  endpoint(app, {
    ...shared,
    path: LOGIN_PATH,
    operation: 'startLogin',
    summary: 'Start a sign-in',
    auth: guard.optionalSession,
    query: loginQuery,
    responses: { 302: { description: 'Redirect to the OpenID provider; with a session, to `returnTo`.' } },
    problems: ['issuer_unreachable', 'rate_limited'],
    handler: ({ c, caller, query }) =>
      withProblemPage(c, async () => {
        const returnTo = checkReturnTo(query.returnTo);
        if (caller) return redirect(c, returnTo);
        const origin = ownOriginOf(origins, c.req.url);
        // Cookies set for another host would be missing at the callback. Behind a proxy that replaces `Host`, every
        // request is for another host.
        if (origin === null && !query.moved) return redirect(c, loginAt(origins[0], returnTo));
        signInRate(c.env.address);
        const { url, pending } = await relyingParty.start(origin ?? origins[0], returnTo);
        pendingLogins.store(c, pending);
        return redirect(c, url.href);
      }),
  });

  endpoint(app, {
    ...shared,
    path: CALLBACK_PATH,
    operation: 'finishLogin',
    summary: 'Finish the sign-in: the OpenID provider redirects the browser here',
    auth: anyone,
    query: callbackQuery,
    responses: {
      302: { description: 'Signed in; redirect to the `returnTo` of the start. Sets the session cookie.' },
    },
    problems: ['login_failed', 'account_not_allowed', 'issuer_unreachable', 'rate_limited'],
    handler: ({ c, query }) =>
      withProblemPage(c, () =>
        finishLogin(deps, c, query.state).catch((error) => {
          signIns.refused(error);
          throw error;
        }),
      ),
  });
}

/** @throws Problem 400 `login_failed`, 403 `account_not_allowed`, 429 `rate_limited`, 502 `issuer_unreachable` */
async function finishLogin(deps: LoginRoutesDeps, c: Ctx, state: string): Promise<Response> {
  const { database, accounts, sessions, relyingParty, pendingLogins, admission, isEmbedded } = deps;
  const { cookie, browserSignIn, signInRate, signIns } = deps.signIn;
  const pending = pendingLogins.take(c, state);
  if (!pending)
    throw new Problem('login_failed', 'The sign-in started in another browser, or too long ago. Try again.');
  signInRate(c.env.address);
  const person = await relyingParty.finish(new URL(c.req.url).search, pending);
  const { id: accountId } = await admission(person);
  const previous = cookie.read(c.req.header('Cookie'));
  const token = await database.transaction(async (trx) => {
    await accounts.lock(trx, accountId);
    const signInId = isEmbedded ? await requireProof(trx, sessions, accountId, person.acr) : null;
    if (previous) await sessions.endByToken(trx, previous, signInId);
    const userAgent = c.req.header('User-Agent') ?? '';
    return await sessions.start(trx, { accountId, userAgent, idToken: person.idToken, signInId });
  });
  await browserSignIn(c, { accountId, token });
  signIns.succeeded();
  return redirect(c, pending.returnTo);
}

function loginAt(origin: string, returnTo: string): string {
  return `${origin}${LOGIN_PATH}?${new URLSearchParams({ returnTo, moved: '1' })}`;
}

function redirect(c: Ctx, location: string): Response {
  c.header('Cache-Control', 'no-store');
  return c.redirect(location, 302);
}
