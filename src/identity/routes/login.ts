import { z } from '@hono/zod-openapi';
import type { Database } from '../../kernel/database/database.ts';
import type { App, Ctx } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { Problem } from '../../kernel/http/problem.ts';
import { describeError, type Log } from '../../kernel/log.ts';
import type { Admission } from '../admission.ts';
import type { SessionGuard } from '../guard.ts';
import { CALLBACK_PATH, LOGIN_PATH } from '../login/paths.ts';
import type { PendingLogins } from '../login/pending.ts';
import type { RelyingParty } from '../login/relying-party.ts';
import { checkReturnTo } from '../login/return-to.ts';
import { type Origins, originOf } from '../origins.ts';
import { refusingByPage, wantsPage } from '../pages/answer.ts';
import type { Sessions } from '../sessions.ts';

interface LoginParts {
  database: Database;
  sessions: Sessions;
  guard: SessionGuard;
  relyingParty: RelyingParty;
  pendingLogins: PendingLogins;
  admission: Admission;
  origins: Origins;
  log: Log;
}

const TAGS = ['login'];

export function mountLogin(
  app: App,
  { database, sessions, guard, relyingParty, pendingLogins, admission, origins, log }: LoginParts,
): void {
  endpoint(
    app,
    'get',
    LOGIN_PATH,
    {
      summary: 'Begin to sign in',
      tags: TAGS,
      query: z.object({ returnTo: z.string().optional().describe('where to go afterwards: a path on this server') }),
      answers: { 302: { description: 'To the OpenID provider; for somebody signed in, to `returnTo`.' } },
      problems: ['invalid_request', 'issuer_unreachable'],
    },
    (c) =>
      refusingByPage(c, async () => {
        const returnTo = checkReturnTo(c.req.query('returnTo'));
        if (await guard.sessionOf(c)) return redirect(c, returnTo);
        const { url, pending } = await relyingParty.begin(originOf(origins, c.req.url), returnTo);
        pendingLogins.remember(c, pending);
        return redirect(c, url.href);
      }),
  );

  endpoint(
    app,
    'get',
    CALLBACK_PATH,
    {
      summary: 'End to sign in: the OpenID provider sends the browser here',
      tags: TAGS,
      query: z.object({
        code: z.string().optional(),
        state: z.string().optional(),
        iss: z.string().optional(),
        error: z.string().optional(),
      }),
      answers: { 302: { description: 'Signed in; to where the login was begun. Sets the session cookie.' } },
      problems: ['login_failed', 'account_not_allowed', 'issuer_unreachable'],
    },
    (c) =>
      refusingByPage(c, async () => {
        const pending = pendingLogins.take(c, c.req.query('state') ?? '');
        if (!pending) throw new Problem('login_failed', 'This sign-in was begun in another browser, or too long ago. Try again.');
        const person = await relyingParty.finish(new URL(c.req.url).search, pending);
        const { id: accountId } = await admission(person);
        const earlier = guard.cookieOf(c);
        const token = await database.transaction(async (trx) => {
          if (earlier) await sessions.endByToken(trx, earlier);
          return await sessions.begin(trx, { accountId, userAgent: c.req.header('User-Agent') ?? '', idToken: person.idToken });
        });
        guard.setCookie(c, token);
        return redirect(c, pending.returnTo);
      }),
  );

  endpoint(
    app,
    'post',
    '/logout',
    {
      summary: 'End the session',
      tags: TAGS,
      security: ['session'],
      answers: {
        200: {
          description: 'For scripts (`Accept: application/json`): where to send the browser now.',
          schema: z.object({ location: z.string() }),
        },
        303: { description: 'To the OpenID provider’s own logout where it has one, else to the first page.' },
      },
      problems: ['cross_site_request'],
    },
    async (c) => {
      const cookie = guard.cookieOf(c);
      if (cookie) guard.requireSameOrigin(c);
      const ended = cookie ? await database.transaction((trx) => sessions.endByToken(trx, cookie)) : null;
      if (cookie) guard.setCookie(c, null);
      const location = ended?.idToken ? await issuerLogout(ended.idToken, originOf(origins, c.req.url)) : '/';
      if (isScript(c)) return c.json({ location });
      return redirect(c, location, 303);
    },
  );

  /** The session has ended here in any case. */
  async function issuerLogout(idToken: string, origin: string): Promise<string> {
    try {
      return (await relyingParty.endSessionUrl(idToken, origin))?.href ?? '/';
    } catch (error) {
      log.warn({ error: describeError(error) }, 'the OpenID provider’s logout could not be found');
      return '/';
    }
  }
}

function isScript(c: Ctx): boolean {
  return !wantsPage(c) && ((c.req.header('Accept') ?? '').includes('application/json') || c.req.header('Sec-Fetch-Dest') === 'empty');
}

function redirect(c: Ctx, location: string, status: 302 | 303 = 302): Response {
  c.header('Cache-Control', 'no-store');
  return c.redirect(location, status);
}
