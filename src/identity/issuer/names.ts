/** Where the embedded issuer is served, on our own origin. */
export const ISSUER_PATH = '/oidc';
/** Below `ISSUER_PATH`: the sign-in page of one authorization request. */
export const INTERACTION_PATH = '/interaction';
export const CLIENT_ID = 'posthouse';
export const SIGNING_ALGORITHM = 'ES256';
/** The issuer's own session cookie. It is kept from every request, see `issuer.ts`. */
export const ISSUER_SESSION_COOKIE = 'posthouse_issuer';
