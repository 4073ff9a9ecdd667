import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { freePort } from './peers.ts';

export interface Person {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
}

/** An external OpenID provider that signs every visitor in as `person`. */
export interface TestIssuer {
  url: string;
  /** Settings of a server that uses it. */
  settings: Record<string, string>;
  person: Person;
  stop(): Promise<void>;
}

interface Options {
  /** Authentication method of the client (RFC 7591 §2). */
  authentication?: 'client_secret_basic' | 'client_secret_post';
  /** Whether it offers RP-initiated logout. */
  logout?: boolean;
}

const CLIENT = { id: 'posthouse at work', secret: 'a secret with: signs & spaces +%' };

/** @param serverUrls origins of the server under test */
export async function startIssuer(
  serverUrls: readonly string[],
  { authentication = 'client_secret_basic', logout = true }: Options = {},
): Promise<TestIssuer> {
  // The library prints warnings about development settings on both outputs.
  console.warn = console.info = () => {};
  process.noDeprecation = true;
  const { Provider } = await import('oidc-provider');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const people = new Map<string, Person>();
  const provider = new Provider(url, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: serverUrls.map((server) => `${server}/auth/callback`),
        post_logout_redirect_uris: serverUrls.map((server) => `${server}/`),
        token_endpoint_auth_method: authentication,
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
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
      POSTHOUSE_OIDC_CLIENT_ID: CLIENT.id,
      POSTHOUSE_OIDC_CLIENT_SECRET: CLIENT.secret,
    },
    person: { sub: 'nobody' },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const serve = provider.callback();
  const server = createServer((req: IncomingMessage, res: ServerResponse) => {
    if (!req.url?.startsWith('/interaction/')) return void serve(req, res);
    people.set(issuer.person.sub, issuer.person);
    void provider.interactionFinished(req, res, { login: { accountId: issuer.person.sub, remember: false } });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return issuer;
}
