import type { Ctx } from './context.ts';

/** Adds a `Link` to the next page. @param value of `parameter` in its address; null = there is no next page */
export function addNextLink(c: Ctx, value: string | null, parameter = 'cursor'): void {
  if (value !== null) c.header('Link', nextLink(c, value, parameter));
}

/**
 * Returns a `Link` to the next page (RFC 8288 §3): the address of this request with another `parameter`. Relative,
 * since a proxy may change the host.
 */
export function nextLink(c: Ctx, value: string, parameter = 'cursor'): string {
  const url = new URL(c.req.url);
  url.searchParams.set(parameter, value);
  return `<${url.pathname}${url.search}>; rel="next"`;
}
