import { parse } from 'hono/utils/cookie';
import type { Ctx } from '../../kernel/http/context.ts';
import { SESSION_LIMIT_MS } from '../sessions.ts';
import { cookieName, setCookie } from './cookies.ts';

/** The cookie that holds the token of a session. */
export interface SessionCookie {
  /** Returns the token in a `Cookie` header; null when it has none. */
  read(header: string | undefined): string | null;
  set(c: Ctx, token: string): void;
  clear(c: Ctx): void;
}

/** @param secure true when the public URL is https */
export function createSessionCookie(secure: boolean): SessionCookie {
  const name = cookieName('posthouse', secure);
  return {
    read: (header = '') => parse(header, name)[name] || null,
    set: (c, token) => setCookie(c, name, token, { lifetimeMs: SESSION_LIMIT_MS, secure }),
    clear: (c) => setCookie(c, name, '', { lifetimeMs: 0, secure }),
  };
}
