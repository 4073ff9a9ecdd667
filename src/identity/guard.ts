import { getCookie } from 'hono/cookie';
import type { Ctx } from '../kernel/http/context.ts';
import { Problem } from '../kernel/http/problem.ts';
import type { Origins } from './origins.ts';
import { createSameOriginRule } from './same-origin.ts';
import { SESSION_LIMIT_MS, type Sessions } from './sessions.ts';
import type { Tokens } from './tokens.ts';

export type Role = 'admin' | 'user';

/** The account behind a request. */
export interface Visitor {
  accountId: string;
  email: string;
  name: string;
  role: Role;
}

/**
 * Says who a request comes from. The one thing of identity that the other services know.
 *
 * A request with `Authorization: Bearer …` is judged by that token alone; otherwise the session cookie counts, and then
 * anything but GET, HEAD and OPTIONS must come from our own pages (or from no browser). Costs one read, and a write
 * at most once a minute for each session or token.
 */
export interface Guard {
  /**
   * The account by session cookie or personal access token; anything but GET, HEAD and OPTIONS needs the scope `write`.
   * Under `/api/admin` and `/api/account` tokens count for nothing.
   * @throws Problem 401 `login_required`, 403 `cross_site_request`, 403 `scope_insufficient`
   */
  requireAccount(c: Ctx): Promise<Visitor>;
  /** The account by session cookie alone. @throws Problem like `requireAccount` */
  requireSession(c: Ctx): Promise<Visitor>;
  /** An administrator by session cookie alone. @throws Problem like `requireAccount`, and 403 `admin_required` */
  requireAdmin(c: Ctx): Promise<Visitor>;
}

/** What identity itself knows besides: which session it is. */
export interface SessionGuard extends Guard {
  /** Null without a session. @throws Problem 403 `cross_site_request` */
  sessionOf(c: Ctx): Promise<(Visitor & { sessionId: string }) | null>;
  requireSession(c: Ctx): Promise<Visitor & { sessionId: string }>;
  /** The cookie's value; null when there is none. */
  cookieOf(c: Ctx): string | null;
  /** Gives the browser the session; `null` takes it away. */
  setCookie(c: Ctx, token: string | null): void;
  /** @throws Problem 403 `cross_site_request` when a state-changing request comes from another site's page */
  requireSameOrigin(c: Ctx): void;
}

interface GuardParts {
  sessions: Sessions;
  tokens: Tokens;
  origins: Origins;
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const SESSION_ONLY = 'Sign in. Personal access tokens are not taken here.';
const COOKIE_ONLY = /^\/api\/(?:admin|account)(?:\/|$)/;

export function createGuard({ sessions, tokens, origins }: GuardParts): SessionGuard {
  const secure = origins[0].startsWith('https:');
  // https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#name-the-__host-prefix
  const cookieName = secure ? '__Host-posthouse' : 'posthouse';
  const isSameOrigin = createSameOriginRule(origins);

  function requireSameOrigin(c: Ctx): void {
    if (SAFE_METHODS.has(c.req.method) || isSameOrigin(c.req.header('Sec-Fetch-Site'), c.req.header('Origin'))) return;
    throw new Problem('cross_site_request', 'This request was made by a page of another site.');
  }

  const cookieOf = (c: Ctx) => getCookie(c, cookieName) || null;

  async function sessionOf(c: Ctx) {
    const cookie = cookieOf(c);
    if (cookie === null) return null;
    requireSameOrigin(c);
    return await sessions.find(cookie);
  }

  async function requireSession(c: Ctx, otherwise = SESSION_ONLY) {
    const session = await sessionOf(c);
    if (!session) throw loginRequired(otherwise);
    return session;
  }

  return {
    cookieOf,
    sessionOf,
    requireSession: (c) => requireSession(c),
    requireSameOrigin,
    async requireAccount(c) {
      if (COOKIE_ONLY.test(c.req.path)) return await requireSession(c);
      const bearer = bearerOf(c);
      if (bearer === null) return await requireSession(c, 'Sign in, or send a personal access token.');
      const found = await tokens.find(bearer);
      if (!found) throw loginRequired('The token is unknown, has run out or was revoked.', 'invalid_token');
      if (found.scope !== 'write' && !SAFE_METHODS.has(c.req.method)) {
        throw new Problem('scope_insufficient', 'This token may only read.', { headers: challenge('insufficient_scope') });
      }
      const { scope: _, ...visitor } = found;
      return visitor;
    },
    async requireAdmin(c) {
      const session = await requireSession(c);
      if (session.role !== 'admin') throw new Problem('admin_required', 'Only administrators may do this.');
      return session;
    },
    setCookie(c, token) {
      const lifetime = token === null ? 0 : Math.floor(SESSION_LIMIT_MS / 1000);
      const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${lifetime}${secure ? '; Secure' : ''}`;
      c.header('Set-Cookie', `${cookieName}=${token ?? ''}; ${attributes}`, { append: true });
    },
  };
}

/** RFC 6750 §2.1: the scheme's name is matched without regard to case. */
function bearerOf(c: Ctx): string | null {
  return /^Bearer +(\S+) *$/i.exec(c.req.header('Authorization') ?? '')?.[1] ?? null;
}

function loginRequired(detail: string, error?: string): Problem {
  return new Problem('login_required', detail, { headers: challenge(error) });
}

/** RFC 6750 §3: without an `error` where no token was sent. */
function challenge(error?: string): Record<string, string> {
  return { 'WWW-Authenticate': `Bearer realm="posthouse"${error ? `, error="${error}"` : ''}` };
}
