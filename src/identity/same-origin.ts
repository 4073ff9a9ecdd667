/** Reports whether a request may come from a page of this server, by two of its header fields. */
export type SameOriginRule = (secFetchSite: string | undefined, origin: string | undefined) => boolean;

/**
 * Uses the header fields that browsers set and pages cannot change: `Sec-Fetch-Site`
 * (https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header) and `Origin` (RFC 6454 §7). A request with
 * neither is not from a browser, and passes.
 * @param origins the origins of this server
 */
export function createSameOriginRule(origins: readonly string[]): SameOriginRule {
  return (secFetchSite, origin) =>
    (secFetchSite === undefined || secFetchSite === 'same-origin' || secFetchSite === 'none') &&
    (origin === undefined || origins.includes(origin));
}
