import type * as Client from 'openid-client';
import { SECOND } from '../../kernel/clock.ts';
import { Problem } from '../../kernel/http/problem.ts';
import type { IssuerAccess } from './relying-party.ts';

const TIMEOUT_MS = 15 * SECOND;

/** An issuer that the operator named, found by OpenID Connect Discovery 1.0. */
export function externalIssuer({ url, clientId, clientSecret }: { url: string; clientId: string; clientSecret: string }): IssuerAccess {
  // RFC 6749 §2.3.1: every server takes the secret in the header; some operators registered us for the body all the same.
  let inBody = false;
  return {
    scope: 'openid email profile',
    ours: false,
    authenticateOtherwise() {
      inBody = !inBody;
      return true;
    },
    async configure(client) {
      const issuer = new URL(url);
      // The operator wrote http: themselves, for an issuer on their own machine or network.
      const header = client.ClientSecretBasic(clientSecret);
      const body = client.ClientSecretPost(clientSecret);
      const authentication: Client.ClientAuth = (...request) => (inBody ? body : header)(...request);
      const execute = issuer.protocol === 'http:' ? [client.allowInsecureRequests] : [];
      return await client.discovery(issuer, clientId, {}, authentication, {
        execute: [...execute, client.enableNonRepudiationChecks],
        timeout: TIMEOUT_MS / 1000,
        [client.customFetch]: reach,
      });
    },
  };
}

async function reach(url: string, options: Client.CustomFetchOptions): Promise<Response> {
  try {
    return await fetch(url, options as RequestInit);
  } catch (cause) {
    throw new Problem('issuer_unreachable', 'The OpenID provider does not answer.', { cause });
  }
}
