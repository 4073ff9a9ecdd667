import type * as Client from 'openid-client';
import { Problem } from '../../kernel/http/problem.ts';
import { describeError, type Log } from '../../kernel/log.ts';
import { CALLBACK_PATH } from './paths.ts';
import type { PendingLogin } from './pending.ts';

/** Whom the issuer says that somebody is. */
export interface Identified {
  subject: string;
  email: string | null;
  /** True only when the issuer says so. */
  emailVerified: boolean;
  name: string | null;
  /** What the issuer's logout asks for. */
  idToken: string | null;
}

/** Where people sign in, and how to reach it. */
export interface IssuerAccess {
  /** Loads the issuer's metadata. @throws when it cannot be reached */
  configure(client: typeof Client): Promise<Client.Configuration>;
  scope: string;
  /** Served by ourselves, under each of our origins. */
  ours: boolean;
  /** Called when the issuer did not accept who we are: changes how we say it; false when there is no other way. */
  authenticateOtherwise?(): boolean;
}

export type RelyingParty = ReturnType<typeof createRelyingParty>;

/**
 * The OpenID Connect authorization code flow with PKCE, state and nonce, seen from the application
 * (OpenID Connect Core 1.0 §3.1, RFC 9700 §2.1).
 */
export function createRelyingParty({ issuer, log }: { issuer: IssuerAccess; log: Log }) {
  let ready: Promise<{ client: typeof Client; configuration: Client.Configuration }> | undefined;

  /** @throws Problem 502 `issuer_unreachable` */
  function access() {
    ready ??= configure().catch((error) => {
      ready = undefined;
      log.warn({ error: describeError(error) }, 'the OpenID provider cannot be used');
      throw new Problem('issuer_unreachable', 'The OpenID provider cannot be reached, or it is not set up as it should be.', {
        cause: error,
      });
    });
    return ready;
  }

  async function configure() {
    const client = await import('openid-client');
    return { client, configuration: await issuer.configure(client) };
  }

  return {
    /** Begins a login. @returns where to send the browser, and what to remember meanwhile */
    async begin(origin: string, returnTo: string): Promise<{ url: URL; pending: PendingLogin }> {
      const { client, configuration } = await access();
      const pending = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        codeVerifier: client.randomPKCECodeVerifier(),
        origin,
        returnTo,
      };
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: origin + CALLBACK_PATH,
        scope: issuer.scope,
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(pending.codeVerifier),
        code_challenge_method: 'S256',
      });
      return { url: issuer.ours ? new URL(url.pathname + url.search, origin) : url, pending };
    },

    /**
     * Ends a login with what the issuer sent the browser back with.
     * @param query the query of the callback, with its `?`
     * @throws Problem 400 `login_failed`, 502 `issuer_unreachable`
     */
    async finish(query: string, { state, nonce, codeVerifier, origin }: PendingLogin): Promise<Identified> {
      const { client, configuration } = await access();
      try {
        const exchange = () =>
          client.authorizationCodeGrant(configuration, new URL(origin + CALLBACK_PATH + query), {
            pkceCodeVerifier: codeVerifier,
            expectedState: state,
            expectedNonce: nonce,
          });
        // A code that came with a client's wrong authentication is not used up (RFC 6749 §5.2).
        const tokens = await exchange().catch((error) => {
          if (oauthError(error) !== 'invalid_client' || !issuer.authenticateOtherwise?.()) throw error;
          return exchange();
        });
        const claims = tokens.claims();
        if (!claims) throw new Error('the issuer sent no ID token');
        const profile: Record<string, unknown> = { ...claims };
        if (claims.email === undefined && !issuer.ours && configuration.serverMetadata().userinfo_endpoint) {
          Object.assign(profile, await client.fetchUserInfo(configuration, tokens.access_token, claims.sub));
        }
        return {
          subject: claims.sub,
          email: textOf(profile.email),
          emailVerified: profile.email_verified === true || profile.email_verified === 'true',
          name: textOf(profile.name) ?? textOf(profile.preferred_username),
          idToken: tokens.id_token ?? null,
        };
      } catch (error) {
        throw failure(error, log);
      }
    },

    /** Where to send the browser to end the issuer's session as well (OpenID Connect RP-Initiated Logout 1.0 §2); null where it offers none. */
    async endSessionUrl(idToken: string, origin: string): Promise<URL | null> {
      const { client, configuration } = await access();
      if (!configuration.serverMetadata().end_session_endpoint) return null;
      return client.buildEndSessionUrl(configuration, { id_token_hint: idToken, post_logout_redirect_uri: `${origin}/` });
    },
  };
}

function textOf(claim: unknown): string | null {
  return typeof claim === 'string' && claim.trim() !== '' ? claim.trim() : null;
}

/** RFC 6749 §4.1.2.1 and §5.2: the code in what the issuer answered. */
function oauthError(error: unknown): string | undefined {
  const code = (error as { error?: unknown } | null)?.error;
  return typeof code === 'string' ? code : undefined;
}

/** The library wraps what its fetch throws, so the cause is looked at. */
function failure(error: unknown, log: Log): Problem {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Problem) return cause;
  log.warn({ refusal: oauthError(error), error: describeError(error) }, 'a sign-in failed');
  return new Problem('login_failed', 'The sign-in did not succeed. Try again.', { cause: error });
}
