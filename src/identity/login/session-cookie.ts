import { getCookie } from 'hono/cookie';
import type { Ctx } from '../../kernel/http/context.ts';
import { SESSION_LIMIT_MS } from '../sessions.ts';

/** The cookie that holds the token of a session. */
export interface SessionCookie {
  /** Returns the token; null when the request has none. */
  read(c: Ctx): string | null;
  set(c: Ctx, token: string): void;
  clear(c: Ctx): void;
}

/** @param secure true when the public URL is https */
export function createSessionCookie(secure: boolean): SessionCookie {
  // https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#name-the-__host-prefix
  const name = secure ? '__Host-posthouse' : 'posthouse';
  const write = (c: Ctx, value: string, lifetimeMs: number) => {
    const maxAge = Math.floor(lifetimeMs / 1000);
    const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secure ? '; Secure' : ''}`;
    c.header('Set-Cookie', `${name}=${value}; ${attributes}`, { append: true });
  };
  return {
    read: (c) => getCookie(c, name) || null,
    set: (c, token) => write(c, token, SESSION_LIMIT_MS),
    clear: (c) => write(c, '', 0),
  };
}
