import type { Ctx } from './context.ts';

/**
 * Returns a `Link` to the next page (RFC 8288 §3): the address of this request with another `parameter`. Relative,
 * since a proxy may change the host.
 */
export function nextLink(c: Ctx, parameter: string, value: string): string {
  const url = new URL(c.req.url);
  url.searchParams.set(parameter, value);
  return `<${url.pathname}${url.search}>; rel="next"`;
}
