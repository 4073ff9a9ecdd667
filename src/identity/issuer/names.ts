/** Paths of the sign-in on each origin of this server: its start, and the callback of the OpenID provider. */
export const LOGIN_PATH = '/login';
export const CALLBACK_PATH = '/auth/callback';
/** Path of the embedded issuer, on each origin of this server. */
export const ISSUER_PATH = '/oidc';
/** Below `ISSUER_PATH`: the sign-in page of one authorization request. */
export const INTERACTION_PATH = '/interaction';
export const CLIENT_ID = 'posthouse';
export const SIGNING_ALGORITHM = 'ES256';
/** Session cookie of the issuer. Never forwarded, see `issuer.ts`. */
export const ISSUER_SESSION_COOKIE = 'posthouse_issuer';
/** Header field of the private server's response when the database could not be used. */
export const UNAVAILABLE_FIELD = 'X-Posthouse-Unavailable';
