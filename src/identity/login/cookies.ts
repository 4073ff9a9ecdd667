import type { Ctx } from '../../kernel/http/context.ts';

/** How long and over which connections the browser sends a cookie. */
export interface CookieRule {
  /** Ms; 0 deletes the cookie. */
  lifetimeMs: number;
  /** True when the public URL is https. */
  secure: boolean;
}

/**
 * Returns the name of a cookie of this server. Over https it has the prefix that keeps other hosts from setting it
 * (https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#name-the-__host-prefix).
 */
export function cookieName(name: string, secure: boolean): string {
  return secure ? `__Host-${name}` : name;
}

/**
 * Sets a cookie for all paths. Scripts cannot read it. Browsers send it with requests from other sites only when a
 * person follows a link.
 */
export function setCookie(c: Ctx, name: string, value: string, { lifetimeMs, secure }: CookieRule): void {
  const maxAge = Math.floor(lifetimeMs / 1000);
  const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secure ? '; Secure' : ''}`;
  c.header('Set-Cookie', `${name}=${value}; ${attributes}`, { append: true });
}
