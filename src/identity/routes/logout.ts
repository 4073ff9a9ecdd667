import { z } from '@hono/zod-openapi';
import type { Database } from '../../kernel/database/database.ts';
import type { App, Ctx } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import type { Log } from '../../kernel/log.ts';
import type { SessionGuard } from '../guard.ts';
import type { RelyingParty } from '../login/relying-party.ts';
import type { SessionCookie } from '../login/session-cookie.ts';
import { type Origins, originOf } from '../origins.ts';
import { wantsPage } from '../pages/problem.ts';
import type { Sessions } from '../sessions.ts';

interface LogoutDeps {
  database: Database;
  sessions: Sessions;
  guard: SessionGuard;
  cookie: SessionCookie;
  relyingParty: RelyingParty;
  origins: Origins;
  log: Log;
}

/** Sign-out, from the OpenID provider too where it supports RP-initiated logout. */
export function mountLogout(app: App, deps: LogoutDeps): void {
  const { database, sessions, guard, cookie, origins } = deps;

  endpoint(app, {
    method: 'post',
    path: '/logout',
    operation: 'logout',
    summary: 'Sign out',
    tags: ['login'],
    auth: guard.optionalSession,
    responses: {
      200: {
        description: 'For scripts (`Accept: application/json`): the URL that the browser must open next.',
        schema: z.object({ location: z.string() }),
      },
      303: { description: 'Redirect to the logout of the OpenID provider, or to the start page.' },
    },
    async handler({ c, reply }) {
      const token = cookie.read(c.req.header('Cookie'));
      const ended = token ? await database.transaction((trx) => sessions.endByToken(trx, token)) : null;
      if (token) cookie.clear(c);
      const origin = originOf(origins, c.req.url);
      const location = ended?.idToken ? await issuerLogout(deps, ended.idToken, origin) : '/';
      if (isScript(c)) return reply(200, { location });
      c.header('Cache-Control', 'no-store');
      return c.redirect(location, 303);
    },
  });
}

/**
 * Returns the start page when the issuer has no logout or cannot be reached: the session here has ended in
 * any case.
 */
async function issuerLogout({ relyingParty, log }: LogoutDeps, idToken: string, origin: string) {
  try {
    return (await relyingParty.endSessionUrl(idToken, origin))?.href ?? '/';
  } catch (error) {
    log.warn({ error }, 'cannot find the logout of the OpenID provider');
    return '/';
  }
}

function isScript(c: Ctx): boolean {
  if (wantsPage(c)) return false;
  const acceptsJson = (c.req.header('Accept') ?? '').includes('application/json');
  return acceptsJson || c.req.header('Sec-Fetch-Dest') === 'empty';
}
