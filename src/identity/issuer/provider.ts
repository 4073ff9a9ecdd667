import Provider, { type Configuration, errors, type KoaContextWithOIDC } from 'oidc-provider';
import { asUnavailable } from '../../kernel/errors/unavailable.ts';
import { languageBy } from '../../kernel/http/language.ts';
import type { Log } from '../../kernel/log.ts';
import { LOCAL_ISSUER } from '../account.ts';
import type { Accounts } from '../accounts.ts';
import type { Origins } from '../origins.ts';
import { issuerErrorPage } from '../pages/sign-in.ts';
import type { IssuerKeys } from './keys.ts';
import {
  CALLBACK_PATH,
  CLIENT_ID,
  INTERACTION_PATH,
  ISSUER_PATH,
  ISSUER_SESSION_COOKIE,
  SIGNING_ALGORITHM,
  UNAVAILABLE_FIELD,
} from './names.ts';
import type { Payloads } from './payloads.ts';

/** Lifetime of the sign-in page, in seconds. */
const INTERACTION_SECONDS = 600;
/**
 * Lifetime of everything between the password and the session of this server: enough for a few redirects and for node
 * clocks that differ by minutes, since `oidc-provider` compares its times with the clock of the machine.
 */
const PASSAGE_SECONDS = 600;
/** Lifetime of the issuer's own session, which begins and ends with one redirect. */
const SESSION_SECONDS = 120;

export interface ProviderDeps {
  origins: Origins;
  accounts: Accounts;
  keys: IssuerKeys;
  payloads: Payloads;
  log: Log;
}

/**
 * The embedded OpenID provider: this server is the only client, without registration and consent. Supports
 * only the authorization code flow with PKCE.
 */
export function createProvider(deps: ProviderDeps): Provider {
  const { origins, log } = deps;
  const provider = new Provider(origins[0] + ISSUER_PATH, {
    ...protocolOf(deps),
    ...lifetimes,
    loadExistingGrant: grantOpenId,
    async findAccount(_, subject) {
      const account = await deps.accounts.byId(subject);
      if (!account || account.disabled || account.issuer !== LOCAL_ISSUER) return undefined;
      return { accountId: account.id, claims: () => ({ sub: account.id }) };
    },
    async renderError(ctx, { error }, cause) {
      if (!(cause instanceof errors.OIDCProviderError)) logFailure(log, cause);
      const rendered = await issuerErrorPage(
        languageBy((name) => ctx.get(name)),
        error,
      );
      for (const [name, value] of rendered.headers) ctx.set(name, value);
      ctx.body = await rendered.text();
    },
  });
  // Only this process can connect; it sets the X-Forwarded fields from the browser's request.
  provider.proxy = true;
  provider.on('server_error', (ctx, error) => {
    const problem = asUnavailable(error);
    if (problem) ctx.set(UNAVAILABLE_FIELD, problem.detail);
    logFailure(log, error);
  });
  return provider;
}

const lifetimes = {
  ttl: {
    AccessToken: PASSAGE_SECONDS,
    AuthorizationCode: PASSAGE_SECONDS,
    Grant: PASSAGE_SECONDS,
    IdToken: PASSAGE_SECONDS,
    Interaction: INTERACTION_SECONDS,
    Session: SESSION_SECONDS,
  },
  expiresWithSession: () => false,
} satisfies Configuration;

function protocolOf({ origins, keys, payloads }: ProviderDeps): Configuration {
  return {
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
      names: {
        interaction: 'posthouse_interaction',
        resume: 'posthouse_resume',
        session: ISSUER_SESSION_COOKIE,
      },
      short: { httpOnly: true, sameSite: 'lax', signed: true },
      long: { httpOnly: true, sameSite: 'lax', signed: true, path: ISSUER_PATH },
    },
    scopes: ['openid'],
    // `acr` is the proof of the sign-in, see `proof.ts`.
    claims: { openid: ['sub', 'acr'] },
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
  };
}

function logFailure(log: Log, error: unknown): void {
  log.error({ error }, 'embedded issuer failed');
}

/** Needs no consent: the only client is the server that the person signs in to. */
async function grantOpenId(ctx: KoaContextWithOIDC) {
  const { provider, client, session } = ctx.oidc;
  const grant = new provider.Grant({ clientId: client?.clientId, accountId: session?.accountId });
  grant.addOIDCScope('openid');
  await grant.save();
  return grant;
}
