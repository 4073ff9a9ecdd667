import type * as Client from 'openid-client';
import { asUnavailable } from '../../kernel/errors/unavailable.ts';
import type { Log } from '../../kernel/log.ts';
import { Problem } from '../../kernel/problem.ts';
import { MAX_NAME_LENGTH } from '../../kernel/shared-fields.ts';
import { emailField } from '../fields.ts';
import { CALLBACK_PATH } from '../issuer/names.ts';
import type { PendingLogin } from './pending.ts';

/**
 * OpenID Connect Core 1.0 §2 limits the length. PostgreSQL cannot store U+0000. An unpaired surrogate would be stored
 * as U+FFFD, so that different people could share an account.
 */
const SUBJECT = /^[^\0\p{Cs}]{1,255}$/u;
/** An ID token is stored with the session and sent in a URL at the sign-out. */
const MAX_ID_TOKEN_LENGTH = 8_192;

/** The person that an ID token identifies. */
export interface Identified {
  subject: string;
  email: string | null;
  /** False when the issuer does not state it. */
  emailVerified: boolean;
  name: string | null;
  /** The claim `acr`, by which the embedded issuer passes the proof of the sign-in; null = none. */
  acr: string | null;
  /** Required for the logout of the issuer. */
  idToken: string | null;
}

/** The issuer as configured for the requests of one sign-in or sign-out. */
export interface IssuerConnection {
  configuration: Client.Configuration;
  /** Switches to another method of client authentication. Reports whether there is one. */
  switchAuthentication(): boolean;
}

/** Access to the issuer. */
export interface IssuerAccess {
  /** Loads the metadata of the issuer. @throws Error when it cannot be reached */
  connect(client: typeof Client): Promise<IssuerConnection>;
  scope: string;
  /** The origin of its pages for a sign-in at `origin`, when this server is the issuer. */
  pagesFor?(origin: string): string;
}

/**
 * The OpenID Connect authorization code flow with PKCE, state and nonce, as the client
 * (OpenID Connect Core 1.0 §3.1, RFC 9700 §2.1).
 */
export interface RelyingParty {
  /**
   * Starts a login. Returns the address for the browser, and the state to keep until the callback.
   * @throws Problem 502 `issuer_unreachable`
   */
  start(origin: string, returnTo: string): Promise<{ url: URL; pending: PendingLogin }>;
  /**
   * Exchanges the code of the callback for the identity of the person.
   * @param query the query of the callback, including `?`
   * @throws Problem 400 `login_failed`, 502 `issuer_unreachable`
   */
  finish(query: string, pending: PendingLogin): Promise<Identified>;
  /**
   * Returns the address that ends the session at the issuer (OpenID Connect RP-Initiated Logout 1.0 §2); null
   * when the issuer has none.
   */
  endSessionUrl(idToken: string, origin: string): Promise<URL | null>;
}

/** A connection with the library, which the first login loads. */
interface Connection extends IssuerConnection {
  client: typeof Client;
}

export function createRelyingParty(issuer: IssuerAccess, log: Log): RelyingParty {
  const connect = (): Promise<Connection> =>
    reached(log, async () => {
      const client = await import('openid-client');
      return { client, ...(await issuer.connect(client)) };
    });
  return {
    async start(origin, returnTo) {
      const connection = await connect();
      const { client } = connection;
      const pending = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        codeVerifier: client.randomPKCECodeVerifier(),
        origin,
        returnTo,
      };
      const url = await reached(log, () => authorizationUrl(connection, issuer.scope, pending));
      const pages = issuer.pagesFor?.(origin);
      return { url: pages ? new URL(url.pathname + url.search, pages) : url, pending };
    },
    async finish(query, pending) {
      const connection = await connect();
      try {
        return await identify(connection, query, pending);
      } catch (error) {
        throw loginFailure(error, log);
      }
    },
    async endSessionUrl(idToken, origin) {
      const { client, configuration } = await connect();
      if (!configuration.serverMetadata().end_session_endpoint) return null;
      return client.buildEndSessionUrl(configuration, {
        id_token_hint: idToken,
        post_logout_redirect_uri: `${origin}/`,
      });
    },
  };
}

/** Returns the result of `work`, which uses the metadata of the issuer. @throws Problem 502 `issuer_unreachable` */
async function reached<Result>(log: Log, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    log.warn({ error: cause }, 'cannot use the OpenID provider');
    const detail = 'The OpenID provider cannot be reached, or its configuration is wrong.';
    // The embedded provider needs the database.
    throw asUnavailable(cause) ?? new Problem('issuer_unreachable', detail, { cause });
  }
}

async function authorizationUrl(
  { client, configuration }: Connection,
  scope: string,
  { origin, state, nonce, codeVerifier }: PendingLogin,
): Promise<URL> {
  return client.buildAuthorizationUrl(configuration, {
    redirect_uri: origin + CALLBACK_PATH,
    scope,
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  });
}

async function identify(
  { client, configuration, switchAuthentication }: Connection,
  query: string,
  { state, nonce, codeVerifier, origin }: PendingLogin,
): Promise<Identified> {
  const exchange = () =>
    client.authorizationCodeGrant(configuration, new URL(origin + CALLBACK_PATH + query), {
      pkceCodeVerifier: codeVerifier,
      expectedState: state,
      expectedNonce: nonce,
    });
  // A failed client authentication does not use up the code.
  const tokens = await exchange().catch((error) => {
    if (!refusesClient(error) || !switchAuthentication()) throw error;
    return exchange();
  });
  const claims = tokens.claims();
  if (!claims) throw new Error('the issuer sent no ID token');
  if (!SUBJECT.test(claims.sub))
    throw new Error('the subject of the ID token is empty, too long or has invalid characters');
  const profile: Record<string, unknown> = { ...claims };
  const isComplete = claims.email !== undefined && isStated(claims);
  if (!isComplete && configuration.serverMetadata().userinfo_endpoint)
    Object.assign(profile, await client.fetchUserInfo(configuration, tokens.access_token, claims.sub));
  return {
    subject: claims.sub,
    email: emailOf(profile.email),
    emailVerified: isVerified(profile.email_verified ?? profile.xms_edov),
    name: nameOf(profile.name) ?? nameOf(profile.preferred_username),
    acr: typeof claims.acr === 'string' ? claims.acr : null,
    idToken: tokens.id_token && tokens.id_token.length <= MAX_ID_TOKEN_LENGTH ? tokens.id_token : null,
  };
}

/**
 * Reports whether the claims contain a statement that the address is, or is not, verified. Microsoft uses
 * `xms_edov` for that.
 */
function isStated(claims: Record<string, unknown>): boolean {
  return (claims.email_verified ?? claims.xms_edov) !== undefined;
}

function isVerified(claim: unknown): boolean {
  return claim === true || claim === 'true' || claim === 1 || claim === '1';
}

/**
 * Reports whether the issuer refuses the authentication of this client (RFC 6749 §5.2): by a challenge, or by one of
 * two codes, since several issuers use `unauthorized_client` for a wrong secret.
 */
function refusesClient(error: unknown): boolean {
  const { status, code } = error as { status?: unknown; code?: unknown };
  if (status === 401 && code === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE') return true;
  const refusal = oauthError(error);
  return refusal === 'invalid_client' || refusal === 'unauthorized_client';
}

/** Returns an address that an account may have. */
function emailOf(claim: unknown): string | null {
  return emailField.safeParse(claim).success ? String(claim) : null;
}

/** Returns a name that an account may have: without control characters, cut to its maximum length. */
function nameOf(claim: unknown): string | null {
  if (typeof claim !== 'string') return null;
  const name = claim.replace(/\p{Cc}+/gu, ' ').trim();
  return [...name.slice(0, 2 * MAX_NAME_LENGTH)].slice(0, MAX_NAME_LENGTH).join('').trim() || null;
}

/** Returns the error code of the issuer's response (RFC 6749 §4.1.2.1, §5.2). */
function oauthError(error: unknown): string | undefined {
  const code = (error as { error?: unknown } | null)?.error;
  return typeof code === 'string' ? code : undefined;
}

/** The library wraps errors of its fetch function as `cause`. */
function loginFailure(error: unknown, log: Log): Problem {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Problem) return cause;
  const unavailable = asUnavailable(error);
  if (unavailable) return unavailable;
  log.warn({ refusal: oauthError(error), error }, 'sign-in failed');
  return new Problem('login_failed', 'Sign-in failed. Try again.', { cause: error });
}
