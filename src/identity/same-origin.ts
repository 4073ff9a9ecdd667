/** @param secFetchSite and @param origin the headers of that name, where the request has them */
export type SameOriginRule = (secFetchSite: string | undefined, origin: string | undefined) => boolean;

/**
 * Tells whether a state-changing request with the cookie may have come from our own page, by the headers that browsers
 * set and pages cannot (https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header, RFC 6454 §7). A request with
 * neither is from no browser.
 * @param origins the origins under which people reach this server
 */
export function createSameOriginRule(origins: readonly string[]): SameOriginRule {
  return (secFetchSite, origin) =>
    (secFetchSite === undefined || secFetchSite === 'same-origin' || secFetchSite === 'none') &&
    (origin === undefined || origins.includes(origin));
}
