import type * as Client from 'openid-client';
import { type Clock, MINUTE, SECOND } from '../../kernel/clock.ts';
import { steadyClock } from '../../kernel/limits/steady-clock.ts';
import { Problem } from '../../kernel/problem.ts';
import { shareRuns } from '../../kernel/share-runs.ts';
import { fetchShort, ResponseTooLarge } from '../../kernel/short-response.ts';
import type { IssuerAccess } from './relying-party.ts';

/** Time for all requests to the issuer of one step: the start of a sign-in, its callback, or a sign-out. */
const STEP_MS = 10 * SECOND;
const METADATA_MS = 10 * MINUTE;

interface Answer {
  text: string;
  status: number;
  headers: Record<string, string>;
  /** Time until which it may be reused. */
  until: number;
}

/** An external OpenID provider, and the client of this server that is registered there. */
export interface ExternalIssuer {
  url: string;
  clientId: string;
  clientSecret: string;
  /** Scopes to request, separated by spaces (RFC 6749 §3.3). */
  scope: string;
}

interface ExternalIssuerDeps extends ExternalIssuer {
  clock: Clock;
  stepMs?: number;
}

/**
 * The issuer of `POSTHOUSE_OIDC_ISSUER` (OpenID Connect Discovery 1.0). Its metadata is cached for ten minutes. Its
 * keys are read at each sign-in, so that a new one is valid immediately, even under the id of an earlier one.
 */
export function externalIssuerAccess({
  url,
  clientId,
  clientSecret,
  scope,
  clock: systemTime,
  stepMs = STEP_MS,
}: ExternalIssuerDeps): IssuerAccess {
  // RFC 6749 §2.3.1: every server accepts the secret in the header, unless the client is registered for the
  // body.
  let usedBody = false;
  const clock = steadyClock(systemTime);
  let remembered: Answer | undefined;
  const readShared = shareRuns(readAnswer);
  const forgetMetadata = (error: unknown): never => {
    remembered = undefined;
    throw error;
  };
  return {
    scope,
    async connect(client) {
      const signal = AbortSignal.timeout(stepMs);
      let inBody = usedBody;
      const body = client.ClientSecretPost(clientSecret);
      const authentication: Client.ClientAuth = (...request) =>
        (inBody ? body : secretInHeader(clientSecret))(...request);
      let metadata = remembered && remembered.until > clock.now() ? remembered : undefined;
      const fetchMetadata: Client.CustomFetch = async (target, options) => {
        if (!metadata) {
          // Sign-ins that begin at the same time share one request.
          metadata = await readShared(target, { ...options, signal }, clock.now() + METADATA_MS);
        }
        return new Response(metadata.text, metadata);
      };
      const issuer = new URL(url);
      // An operator can configure http: for an issuer in the same network.
      const execute = issuer.protocol === 'http:' ? [client.allowInsecureRequests] : [];
      const configuration = await client.discovery(issuer, clientId, {}, authentication, {
        execute: [...execute, client.enableNonRepudiationChecks],
        [client.customFetch]: fetchMetadata,
      });
      requireEndpoints(configuration.serverMetadata());
      configuration[client.customFetch] = async (target, options) => {
        const response = await fetchIssuer(target, { ...options, signal }).catch(forgetMetadata);
        // Wrong metadata would make every sign-in fail until it is read again.
        if (!response.ok) remembered = undefined;
        return response;
      };
      remembered = metadata;
      const switchAuthentication = () => {
        inBody = !inBody;
        usedBody = inBody;
        return true;
      };
      return { configuration, switchAuthentication };
    },
  };
}

/** The endpoints of a sign-in (OpenID Connect Discovery 1.0 §3). */
const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;

/** @throws Error when the metadata of the issuer lacks an endpoint that a sign-in needs */
function requireEndpoints(metadata: Client.ServerMetadata): void {
  for (const name of ENDPOINTS) {
    const url = metadata[name];
    const { protocol } = (typeof url === 'string' && URL.parse(url)) || {};
    if (protocol !== 'https:' && protocol !== 'http:')
      throw new Error(`the metadata of the issuer has no usable ${name}`);
  }
}

/**
 * Returns HTTP Basic authentication with the form-encoded id and secret (RFC 6749 §2.3.1). Unlike the library, leaves
 * characters that need no encoding as they are: some servers compare without decoding.
 */
function secretInHeader(clientSecret: string): Client.ClientAuth {
  return (_issuer, { client_id }, _body, headers) =>
    headers.set('Authorization', `Basic ${btoa(`${formEncoded(client_id)}:${formEncoded(clientSecret)}`)}`);
}

function formEncoded(text: string): string {
  return encodeURIComponent(text).replaceAll('%20', '+');
}

async function readAnswer(url: string, options: Client.CustomFetchOptions, until: number): Promise<Answer> {
  const response = await fetchIssuer(url, options);
  const type = response.headers.get('Content-Type') ?? '';
  return { text: await response.text(), status: response.status, headers: { 'Content-Type': type }, until };
}

async function fetchIssuer(url: string, options: Client.CustomFetchOptions): Promise<Response> {
  try {
    return await fetchShort(url, options as RequestInit);
  } catch (cause) {
    const detail =
      cause instanceof ResponseTooLarge
        ? 'The response of the OpenID provider is too large.'
        : 'The OpenID provider does not respond.';
    throw new Problem('issuer_unreachable', detail, { cause });
  }
}
