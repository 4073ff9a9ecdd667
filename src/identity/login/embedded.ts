import type * as Client from 'openid-client';
import type { Issuer } from '../issuer/issuer.ts';
import type { IssuerKeys } from '../issuer/keys.ts';
import { CLIENT_ID, ISSUER_PATH, SIGNING_ALGORITHM } from '../issuer/names.ts';
import { type Origins, signInOriginOf } from '../origins.ts';
import type { IssuerAccess } from './relying-party.ts';

interface EmbeddedAccessDeps {
  origins: Origins;
  issuer: Issuer;
  keys: () => Promise<IssuerKeys>;
}

/**
 * The embedded issuer. Needs no discovery. Requests stay inside the process, since the public address can
 * belong to a proxy that this machine cannot reach.
 */
export function embeddedIssuerAccess({ origins, issuer, keys }: EmbeddedAccessDeps): IssuerAccess {
  const base = origins[0] + ISSUER_PATH;
  let configuration: Client.Configuration | undefined;

  async function configure(client: typeof Client): Promise<Client.Configuration> {
    const { clientSecret } = await keys();
    const made = new client.Configuration(
      {
        issuer: base,
        authorization_endpoint: `${base}/auth`,
        token_endpoint: `${base}/token`,
        jwks_uri: `${base}/jwks`,
        id_token_signing_alg_values_supported: [SIGNING_ALGORITHM],
        authorization_response_iss_parameter_supported: true,
        code_challenge_methods_supported: ['S256'],
      },
      CLIENT_ID,
      { id_token_signed_response_alg: SIGNING_ALGORITHM },
      client.ClientSecretBasic(clientSecret),
    );
    client.allowInsecureRequests(made);
    client.enableNonRepudiationChecks(made);
    made[client.customFetch] = (url, { method, headers, body }) =>
      issuer.fetch(new URL(url), {
        method,
        headers: new Headers(headers),
        body: String(body ?? '') || null,
      });
    return made;
  }

  return {
    scope: 'openid',
    pagesFor: (origin) => signInOriginOf(origins, origin),
    async connect(client) {
      // Remembers the keys too, which never change.
      configuration ??= await configure(client);
      return { configuration, switchAuthentication: () => false };
    },
  };
}
