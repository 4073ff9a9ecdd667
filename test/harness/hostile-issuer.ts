import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** A response of the issuer in place of the right one. */
type Answer = () => Response;

/** Faults of the issuer. Absent = none. */
export interface Lies {
  metadata?: Record<string, unknown>;
  /** Claims of the ID token; undefined = without the claim. */
  claims?: Record<string, unknown>;
  /** `none`: unsigned; `secret`: with the secret of the client; `stranger`: with a key that is not published. */
  signature?: 'none' | 'secret' | 'stranger';
  /** Parameters that the browser brings back. */
  callback?: Record<string, string>;
  userinfo?: Record<string, unknown>;
  /** Time before each response. */
  delayMs?: number;
  /** Responses by path. */
  answers?: Record<string, Answer>;
}

/** An OpenID provider that signs in one person, and sends false data on demand. */
export interface HostileIssuer {
  url: string;
  /** Settings of a server that uses it. */
  settings: Record<string, string>;
  lies: Lies;
  stop(): Promise<void>;
}

const CLIENT_ID = 'posthouse';
const SECRET = 'a secret of 32 bytes or more, as HMAC requires';
const HOUR_SECONDS = 3_600;

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

export function startHostileIssuer(): HostileIssuer {
  const own = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });
  let nonce: string | null = null;
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      await Bun.sleep(issuer.lies.delayMs ?? 0);
      const url = new URL(request.url);
      return (
        issuer.lies.answers?.[url.pathname]?.() ??
        ANSWERS[url.pathname]?.(url) ??
        new Response(null, { status: 404 })
      );
    },
  });
  const url = `http://127.0.0.1:${server.port}`;

  function idToken(): string {
    const { claims, signature } = issuer.lies;
    const now = Math.floor(Date.now() / 1_000);
    const right = { iss: url, aud: CLIENT_ID, sub: '1', iat: now, exp: now + HOUR_SECONDS, nonce };
    return signed({ ...right, ...claims }, signature, { own: own.privateKey, stranger: stranger.privateKey });
  }

  const ANSWERS: Record<string, (url: URL) => Response> = {
    '/.well-known/openid-configuration': () =>
      Response.json({
        issuer: url,
        authorization_endpoint: `${url}/auth`,
        token_endpoint: `${url}/token`,
        jwks_uri: `${url}/jwks`,
        userinfo_endpoint: `${url}/me`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        ...issuer.lies.metadata,
      }),
    '/auth': ({ searchParams }) => {
      nonce = searchParams.get('nonce');
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      const right = { code: 'the code', state: searchParams.get('state') ?? '' };
      for (const [name, value] of Object.entries({ ...right, ...issuer.lies.callback }))
        back.searchParams.set(name, value);
      return Response.redirect(back.href, 302);
    },
    '/token': () => Response.json({ access_token: 'x', token_type: 'Bearer', id_token: idToken() }),
    '/jwks': () =>
      Response.json({
        keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: '1', alg: 'RS256', use: 'sig' }],
      }),
    '/me': () =>
      Response.json({ sub: '1', email: 'ada@example.org', email_verified: true, ...issuer.lies.userinfo }),
  };

  const issuer: HostileIssuer = {
    url,
    settings: {
      POSTHOUSE_OIDC_ISSUER: url,
      POSTHOUSE_OIDC_CLIENT_ID: CLIENT_ID,
      POSTHOUSE_OIDC_CLIENT_SECRET: SECRET,
    },
    lies: {},
    stop: () => server.stop(true),
  };
  return issuer;
}

function signed(
  claims: object,
  signature: Lies['signature'],
  keys: { own: KeyObject; stranger: KeyObject },
): string {
  const alg = signature === 'none' ? 'none' : signature === 'secret' ? 'HS256' : 'RS256';
  const content = `${encoded({ alg, kid: '1' })}.${encoded(claims)}`;
  if (alg === 'none') return `${content}.`;
  if (alg === 'HS256')
    return `${content}.${createHmac('sha256', SECRET).update(content).digest('base64url')}`;
  const key = signature === 'stranger' ? keys.stranger : keys.own;
  return `${content}.${sign('sha256', Buffer.from(content), key).toString('base64url')}`;
}
