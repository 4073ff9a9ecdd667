import Provider, { type Configuration, errors, type KoaContextWithOIDC } from 'oidc-provider';
import { describeError, type Log } from '../../kernel/log.ts';
import { type Accounts, LOCAL_ISSUER } from '../accounts.ts';
import { CALLBACK_PATH } from '../login/paths.ts';
import type { Origins } from '../origins.ts';
import { issuerErrorPage } from '../pages/sign-in.ts';
import type { IssuerKeys } from './keys.ts';
import { CLIENT_ID, INTERACTION_PATH, ISSUER_PATH, ISSUER_SESSION_COOKIE, SIGNING_ALGORITHM } from './names.ts';
import type { Payloads } from './payloads.ts';

/** How long somebody may look at the sign-in page, in seconds. */
const INTERACTION_SECONDS = 3600;
/** What lies between the password and our own session takes a few redirects. */
const PASSAGE_SECONDS = 120;

export interface ProviderParts {
  origins: Origins;
  accounts: Accounts;
  keys: IssuerKeys;
  payloads: Payloads;
  log: Log;
}

/**
 * The embedded OpenID provider: one client, which is ourselves, no registration, no consent. It offers the authorization
 * code flow with PKCE and nothing else.
 */
export function createProvider({ origins, accounts, keys, payloads, log }: ProviderParts): Provider {
  const configuration: Configuration = {
    adapter: payloads.adapterOf,
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: keys.clientSecret,
        redirect_uris: origins.map((origin) => origin + CALLBACK_PATH),
        response_types: ['code'],
        grant_types: ['authorization_code'],
        id_token_signed_response_alg: SIGNING_ALGORITHM,
      },
    ],
    jwks: keys.jwks as NonNullable<Configuration['jwks']>,
    cookies: {
      keys: keys.cookieKeys,
      names: { interaction: 'posthouse_interaction', resume: 'posthouse_resume', session: ISSUER_SESSION_COOKIE },
      short: { httpOnly: true, sameSite: 'lax', signed: true },
      long: { httpOnly: true, sameSite: 'lax', signed: true, path: ISSUER_PATH },
    },
    scopes: ['openid'],
    claims: { openid: ['sub'] },
    responseTypes: ['code'],
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
    },
    interactions: { url: (_, interaction) => `${ISSUER_PATH}${INTERACTION_PATH}/${interaction.uid}` },
    ttl: {
      AccessToken: PASSAGE_SECONDS,
      AuthorizationCode: PASSAGE_SECONDS,
      Grant: PASSAGE_SECONDS,
      IdToken: PASSAGE_SECONDS,
      Interaction: INTERACTION_SECONDS,
      Session: PASSAGE_SECONDS,
    },
    expiresWithSession: () => false,
    async findAccount(_, subject) {
      const account = await accounts.byId(subject);
      if (!account || account.disabled || account.issuer !== LOCAL_ISSUER) return undefined;
      return { accountId: account.id, claims: () => ({ sub: account.id }) };
    },
    loadExistingGrant: grantEverything,
    async renderError(ctx, { error }, cause) {
      if (!(cause instanceof errors.OIDCProviderError)) log.error({ error: describeError(cause) }, 'the embedded issuer failed');
      const rendered = await issuerErrorPage(error);
      for (const [name, value] of rendered.headers) ctx.set(name, value);
      ctx.body = await rendered.text();
    },
  };
  const provider = new Provider(origins[0] + ISSUER_PATH, configuration);
  // Only this process reaches it, and says by these headers what the browser asked for.
  provider.proxy = true;
  provider.on('server_error', (_, error) => log.error({ error: describeError(error) }, 'the embedded issuer failed'));
  return provider;
}

/** There is nobody to ask for consent: the one client is the server that the person signs in to. */
async function grantEverything(ctx: KoaContextWithOIDC) {
  const { provider, client, session } = ctx.oidc;
  const grant = new provider.Grant({ clientId: client?.clientId, accountId: session?.accountId });
  grant.addOIDCScope('openid');
  await grant.save();
  return grant;
}
