import { type Origins, ownOriginAt } from './origins.ts';

interface FromPage {
  /** `Sec-Fetch-Site` (https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header). */
  site: string | undefined;
  /** `Origin` (RFC 6454 §7). */
  origin: string | undefined;
  /** Host and port to which the request was sent. */
  host: string;
}

/** Reports whether a request may come from a page of this server at the same address. */
export type SameOriginRule = (request: FromPage) => boolean;

/**
 * Uses the header fields that browsers set and pages cannot change. A request with neither field is not from a browser,
 * and passes. Where a proxy replaces the host, pages at any address of this server pass.
 */
export function createSameOriginRule(origins: Origins): SameOriginRule {
  return ({ site, origin, host }) => {
    if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
    if (origin === undefined) return true;
    const own = ownOriginAt(origins, host);
    return own === null ? origins.includes(origin) : origin === own;
  };
}
