import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { JWKS } from 'oidc-provider';
import { listen } from './listen.ts';
import { freePort } from './peers.ts';

export interface Person {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
  /** Microsoft’s claim: the owner of the address’s domain is verified. */
  xms_edov?: boolean | number | string;
}

/** An external OpenID provider that signs every visitor in as `person`. */
export interface TestIssuer {
  url: string;
  /** Settings of a server that uses it. */
  settings: Record<string, string>;
  person: Person;
  /** Signs with a new key from now on, and publishes no other. */
  rotate(kid: string): void;
  /** Requests for the keys and the metadata so far. */
  requests: { keys: number; metadata: number };
  stop(): Promise<void>;
}

interface Options {
  /** Authentication method of the client (RFC 7591 §2). */
  authentication?: 'client_secret_basic' | 'client_secret_post';
  secret?: string;
  /**
   * How it treats a secret in the header: by RFC 6749, without decoding it, or with a challenge in place of an error
   * code (RFC 9110 §11.6.1).
   */
  header?: 'decoded' | 'raw' | 'challenged';
  /** Whether it offers RP-initiated logout. */
  logout?: boolean;
  /** The only value of the parameter scope that it accepts; absent = any. */
  scope?: string;
}

const CLIENT_ID = 'posthouse-work.1';
const SECRET = 'a secret with: signs & spaces +%';

/** @param serverUrls origins of the server under test */
export async function startIssuer(
  serverUrls: readonly string[],
  {
    authentication = 'client_secret_basic',
    logout = true,
    secret = SECRET,
    header = 'decoded',
    scope,
  }: Options = {},
): Promise<TestIssuer> {
  // The library prints warnings about development settings on both outputs.
  console.warn = console.info = () => {};
  process.noDeprecation = true;
  const { Provider } = await import('oidc-provider');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const people = new Map<string, Person>();
  const provide = (jwks?: JWKS) =>
    new Provider(url, {
      ...(jwks && { jwks }),
      clients: [
        {
          client_id: CLIENT_ID,
          client_secret: secret,
          redirect_uris: serverUrls.map((server) => `${server}/auth/callback`),
          post_logout_redirect_uris: serverUrls.map((server) => `${server}/`),
          token_endpoint_auth_method: authentication,
        },
      ],
      claims: { openid: ['sub'], email: ['email', 'email_verified', 'xms_edov'], profile: ['name'] },
      cookies: { keys: ['a key of the test'] },
      pkce: { required: () => true },
      features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: logout } },
      interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
      findAccount: (_, sub) => ({ accountId: sub, claims: async () => ({ ...people.get(sub), sub }) }),
      async loadExistingGrant(ctx) {
        const grant = new ctx.oidc.provider.Grant({
          clientId: ctx.oidc.client?.clientId,
          accountId: ctx.oidc.session?.accountId,
        });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
    });
  const issuer: TestIssuer = {
    url,
    settings: {
      POSTHOUSE_OIDC_ISSUER: url,
      POSTHOUSE_OIDC_CLIENT_ID: CLIENT_ID,
      POSTHOUSE_OIDC_CLIENT_SECRET: secret,
    },
    person: { sub: 'nobody' },
    requests: { keys: 0, metadata: 0 },
    rotate(kid) {
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const jwk = privateKey.export({ format: 'jwk' });
      provider = provide({ keys: [{ ...jwk, kid, alg: 'RS256', use: 'sig' }] } as JWKS);
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  let provider = provide();
  const server = createServer((req: IncomingMessage, res: ServerResponse) => {
    if (req.url === '/jwks') issuer.requests.keys++;
    if (req.url?.startsWith('/.well-known/')) issuer.requests.metadata++;
    const asked = new URL(req.url ?? '/', url);
    if (scope && asked.pathname === '/auth' && asked.searchParams.get('scope') !== scope)
      return void res.writeHead(400).end('The requested scope is invalid, unknown, or malformed.');
    const { authorization } = req.headers;
    if (req.url === '/token' && authorization && header !== 'decoded') {
      const isRaw = authorization === `Basic ${btoa(`${CLIENT_ID}:${secret}`)}`;
      if (header === 'challenged')
        return void res.writeHead(401, { 'WWW-Authenticate': 'Basic realm="issuer"' }).end();
      if (!isRaw) {
        const json = { 'Content-Type': 'application/json' };
        return void res.writeHead(403, json).end('{"error":"unauthorized_client"}');
      }
    }
    if (!req.url?.startsWith('/interaction/')) return void provider.callback()(req, res);
    people.set(issuer.person.sub, issuer.person);
    void provider.interactionFinished(req, res, { login: { accountId: issuer.person.sub, remember: false } });
  });
  await listen(server, port);
  return issuer;
}
