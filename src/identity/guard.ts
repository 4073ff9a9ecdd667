import type { Auth } from '../kernel/http/auth.ts';
import type { Ctx } from '../kernel/http/context.ts';
import { HttpProblem } from '../kernel/http/problems/problems.ts';
import type { Attempts } from '../kernel/limits/attempts.ts';
import { Problem, type ProblemCode } from '../kernel/problem.ts';
import type { Caller } from './caller.ts';
import type { SessionCookie } from './login/session-cookie.ts';
import type { SameOriginRule } from './same-origin.ts';
import type { Sessions } from './sessions.ts';
import type { Tokens } from './tokens.ts';

/**
 * Authenticates requests: one with `Authorization: Bearer …` by the token alone, any other one by the session cookie.
 * With the cookie, all methods but GET, HEAD and OPTIONS must come from a page of this server, or not
 * from a browser. Costs one read, and one write per minute for each session or token, which is not awaited.
 */
export interface Guard {
  /**
   * An account, by session cookie or personal access token. With a token, all methods but GET, HEAD and OPTIONS need
   * the scope `write`.
   */
  readonly account: Auth<Caller>;
  /**
   * Like `account`, but also accepts tokens of another kind, whose rights the service itself checks.
   * @param find returns the caller of a bearer token; null = it is of another kind, or unknown
   */
  accountOr<Other extends { id: string }>(
    find: (token: string) => Promise<Other | null>,
  ): Auth<Caller | Other>;
  /** An account by session cookie; tokens are refused. */
  readonly session: Auth<Caller>;
  /** An administrator by session cookie; tokens are refused. */
  readonly admin: Auth<Caller>;
}

/** The guard as identity and `/metrics` use it. */
export interface SessionGuard extends Guard {
  /** Any caller; returns the session of the request, or null. */
  readonly optionalSession: Auth<Caller | null>;
  /** Any caller, except pages of other sites. */
  readonly sameOrigin: Auth<null>;
  /**
   * Reports whether the request has the session of an administrator.
   * @throws Problem 403 `cross_site_request`
   */
  isAdmin(c: Ctx): Promise<boolean>;
}

interface GuardDeps {
  sessions: Sessions;
  tokens: Tokens;
  cookie: SessionCookie;
  isSameOrigin: SameOriginRule;
  attempts: Attempts;
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const SESSION_ONLY = 'Sign in. Personal access tokens are not accepted here.';

export function createGuard(deps: GuardDeps): SessionGuard {
  const { sessions, cookie, isSameOrigin } = deps;

  function requireSameOrigin(c: Ctx): null {
    const { method } = c.req;
    if (isSafe(method)) return null;
    const [site, origin] = [c.req.header('Sec-Fetch-Site'), c.req.header('Origin')];
    if (isSameOrigin({ site, origin, host: new URL(c.req.url).host })) return null;
    throw new Problem('cross_site_request', 'A page of another site made this request.');
  }

  async function findSession(c: Ctx): Promise<Caller | null> {
    const token = cookie.read(c.req.header('Cookie'));
    if (token === null) return null;
    requireSameOrigin(c);
    return await sessions.find(token);
  }

  async function requireSession(c: Ctx, detail = SESSION_ONLY): Promise<Caller> {
    const session = await findSession(c);
    if (!session) throw loginRequired(detail);
    return session;
  }

  async function requireAccount(c: Ctx): Promise<Caller> {
    const bearer = bearerOf(c);
    return bearer === null
      ? await requireSession(c, 'Sign in, or send a personal access token as `Authorization: Bearer …`.')
      : await requireToken(deps, bearer, c);
  }

  const account: Auth<Caller> = {
    name: 'account',
    security: ['session', 'bearer'],
    problems: (method) =>
      isSafe(method)
        ? ['login_required', 'too_many_attempts']
        : ['login_required', 'too_many_attempts', 'cross_site_request', 'scope_insufficient'],
    authenticate: requireAccount,
    idOf: accountIdOf,
  };

  async function requireAdmin(c: Ctx): Promise<Caller> {
    const session = await requireSession(c);
    if (session.role !== 'admin') throw new Problem('admin_required', 'Only administrators may do this.');
    return session;
  }

  return {
    account,
    accountOr: (find) => ({
      ...account,
      async authenticate(c) {
        const bearer = bearerOf(c);
        return (bearer === null ? null : await find(bearer)) ?? (await requireAccount(c));
      },
      idOf: (caller) => ('accountId' in caller ? accountIdOf(caller) : caller.id),
    }),
    session: {
      name: 'session',
      security: ['session'],
      problems: sessionProblems,
      authenticate: (c) => requireSession(c),
      idOf: accountIdOf,
    },
    admin: {
      name: 'admin',
      security: ['session'],
      problems: (method) => [...sessionProblems(method), 'admin_required'],
      authenticate: requireAdmin,
      idOf: accountIdOf,
    },
    optionalSession: {
      name: 'optional session',
      security: ['session'],
      optional: true,
      problems: crossSiteProblems,
      authenticate: findSession,
      idOf: (caller) => caller && accountIdOf(caller),
    },
    sameOrigin: {
      name: 'same origin',
      security: [],
      problems: crossSiteProblems,
      authenticate: requireSameOrigin,
      idOf: () => null,
    },
    isAdmin: async (c) => (await findSession(c))?.role === 'admin',
  };
}

async function requireToken({ tokens, attempts }: GuardDeps, bearer: string, c: Ctx): Promise<Caller> {
  const found = await tokens.find(bearer);
  if (!found) {
    await attempts.failFrom(c.env.address);
    throw loginRequired('The token is unknown, expired or revoked.', 'invalid_token');
  }
  const { scope, ...caller } = found;
  if (scope === 'write' || isSafe(c.req.method)) return caller;
  throw new HttpProblem('scope_insufficient', 'The token has the scope `read` only.', {
    headers: challenge('insufficient_scope'),
  });
}

function accountIdOf({ accountId }: Caller): string {
  return accountId;
}

function isSafe(method: string): boolean {
  return SAFE_METHODS.has(method.toUpperCase());
}

function crossSiteProblems(method: string): ProblemCode[] {
  return isSafe(method) ? [] : ['cross_site_request'];
}

function sessionProblems(method: string): ProblemCode[] {
  return ['login_required', ...crossSiteProblems(method)];
}

/** RFC 6750 §2.1. The name of the scheme is case-insensitive (RFC 9110 §11.1). */
function bearerOf(c: Ctx): string | null {
  return /^Bearer +(\S+) *$/i.exec(c.req.header('Authorization') ?? '')?.[1] ?? null;
}

function loginRequired(detail: string, error?: string): Problem {
  return new HttpProblem('login_required', detail, { headers: challenge(error) });
}

/** RFC 6750 §3: no `error` when the request has no token. */
function challenge(error?: string): Record<string, string> {
  return { 'WWW-Authenticate': `Bearer realm="posthouse"${error ? `, error="${error}"` : ''}` };
}
