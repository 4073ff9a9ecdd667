import type * as Client from 'openid-client';
import { SECOND } from '../../kernel/clock.ts';
import { Problem } from '../../kernel/problem.ts';
import type { IssuerAccess } from './relying-party.ts';

const TIMEOUT_MS = 15 * SECOND;

interface ExternalIssuerDeps {
  url: string;
  clientId: string;
  clientSecret: string;
}

/** The issuer of `POSTHOUSE_OIDC_ISSUER` (OpenID Connect Discovery 1.0). */
export function externalIssuer({ url, clientId, clientSecret }: ExternalIssuerDeps): IssuerAccess {
  // RFC 6749 §2.3.1: every server accepts the secret in the header, unless the client is registered for the
  // body.
  let inBody = false;
  return {
    scope: 'openid email profile',
    embedded: false,
    switchAuthentication() {
      inBody = !inBody;
      return true;
    },
    async configure(client) {
      const issuer = new URL(url);
      // An operator can configure http: for an issuer in the same network.
      const header = client.ClientSecretBasic(clientSecret);
      const body = client.ClientSecretPost(clientSecret);
      const authentication: Client.ClientAuth = (...request) => (inBody ? body : header)(...request);
      const execute = issuer.protocol === 'http:' ? [client.allowInsecureRequests] : [];
      return await client.discovery(issuer, clientId, {}, authentication, {
        execute: [...execute, client.enableNonRepudiationChecks],
        timeout: TIMEOUT_MS / 1000,
        [client.customFetch]: fetchIssuer,
      });
    },
  };
}

async function fetchIssuer(url: string, options: Client.CustomFetchOptions): Promise<Response> {
  try {
    return await fetch(url, options as RequestInit);
  } catch (cause) {
    throw new Problem('issuer_unreachable', 'The OpenID provider does not respond.', { cause });
  }
}
