import { unavailableFor } from '../../kernel/errors/unavailable.ts';
import { readBytes } from '../../kernel/http/bodies/read-body.ts';
import type { App, Ctx } from '../../kernel/http/context.ts';
import type { Log } from '../../kernel/log.ts';
import { notFound, Problem } from '../../kernel/problem.ts';
import type { SignIn } from '../login/sign-in.ts';
import { type Origins, originOf, usesFirstOrigin } from '../origins.ts';
import { withProblemPage } from '../pages/problem.ts';
import type { SessionOf } from './interaction.ts';
import {
  INTERACTION_PATH,
  ISSUER_PATH,
  ISSUER_SESSION_COOKIE,
  LOGIN_PATH,
  UNAVAILABLE_FIELD,
} from './names.ts';
import type { PrivateRequest, PrivateServer } from './socket.ts';

interface IssuerDeps {
  origins: Origins;
  log: Log;
  signInRate: SignIn['signInRate'];
  sessionOf: SessionOf;
  start(): Promise<PrivateServer>;
}

/** The embedded issuer under `/oidc`. */
export interface Issuer {
  mount(app: App): void;
  /** Sends a request of the relying party to the issuer, inside the process. */
  fetch(url: URL, init: PrivateRequest): Promise<Response>;
  stop(): Promise<void>;
}

const BODY_LIMIT = 65_536;
/** Request fields that are not forwarded. */
const REMOVED_FIELDS = [
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'forwarded',
  'x-forwarded-for',
  'accept-encoding',
  'content-length',
];

/**
 * Reports whether a request counts as a sign-in: an authorization request, which is stored, or a submitted form, whose
 * password is hashed.
 */
function isCounted(method: string, pathname: string): boolean {
  const path = pathname.slice(ISSUER_PATH.length);
  return /^\/auth(?:\/|$)/i.test(path) || (method === 'POST' && path.startsWith(`${INTERACTION_PATH}/`));
}

/** Maximum number of parameters: more than any request of a relying party has. */
const MAX_PARAMETERS = 50;

/**
 * The library searches all parameters for each repeated one, which takes seconds for thousands of them.
 * @throws Problem 400 for a parameter that appears twice (RFC 6749 §3.1), or too many
 */
function requireDistinct(search: string): void {
  const names = [...new URLSearchParams(search).keys()];
  if (names.length > MAX_PARAMETERS || new Set(names).size < names.length)
    throw new Problem(
      'invalid_request',
      `The query may have at most ${MAX_PARAMETERS} parameters, and each only once.`,
    );
}

/**
 * The library is a Koa application for Node's HTTP server, so it runs behind a private socket of this
 * process. The first sign-in loads it.
 */
export function createIssuer({ origins, log, signInRate, sessionOf, start }: IssuerDeps): Issuer {
  let running: Promise<PrivateServer> | undefined;
  const server = () => {
    running ??= start().catch((error) => {
      running = undefined;
      throw error;
    });
    return running;
  };

  async function forward(origin: string, target: string, init: PrivateRequest, address: string) {
    const headers = new Headers(init.headers);
    for (const name of REMOVED_FIELDS) headers.delete(name);
    const { host, protocol } = new URL(origin);
    headers.set('X-Forwarded-Host', host);
    headers.set('X-Forwarded-Proto', protocol.slice(0, -1));
    headers.set('X-Forwarded-For', address);
    const response = await (await server()).fetch(target, { ...init, headers });
    const reason = response.headers.get(UNAVAILABLE_FIELD);
    if (reason !== null) throw unavailableFor(reason);
    return new Response(response.body, {
      status: response.status,
      headers: responseHeaders(response.headers),
    });
  }

  async function respond(c: Ctx): Promise<Response> {
    const { url, method, headers } = c.req.raw;
    const { pathname, search } = new URL(url);
    if (pathname === `${ISSUER_PATH}/auth` && (await needsFirst(c)))
      return c.redirect(`${LOGIN_PATH}?${new URLSearchParams({ returnTo: pathname + search })}`);
    requireDistinct(search);
    const { address } = c.env;
    if (isCounted(method, pathname)) signInRate(address);
    const body = method === 'GET' || method === 'HEAD' ? null : await readBytes(c, BODY_LIMIT);
    const response = await forward(
      originOf(origins, url),
      pathname + search,
      { method, headers: withoutIssuerSession(headers), body },
      address,
    );
    // The library responds to an unknown path with plain text.
    if (response.status === 404 && response.headers.get('Content-Type')?.startsWith('text/plain'))
      throw notFound();
    return response;
  }

  /**
   * Reports whether a sign-in at another address must begin with one at the first address, whose session it then uses.
   */
  async function needsFirst(c: Ctx): Promise<boolean> {
    if (!usesFirstOrigin(origins, c.req.query('redirect_uri'))) return false;
    return (await sessionOf(c.req.header('Cookie'))) === null;
  }

  return {
    mount(app) {
      const handle = (c: Ctx) => withProblemPage(c, () => respond(c));
      // Separate routes, so that other methods, for which the library returns 404, are refused with 405.
      app.post(`${ISSUER_PATH}/token`, handle);
      for (const name of ['jwks', '.well-known/openid-configuration'])
        app.get(`${ISSUER_PATH}/${name}`, handle);
      app.all(`${ISSUER_PATH}/*`, handle);
    },
    fetch: (url, init) => forward(origins[0], url.pathname + url.search, init, '127.0.0.1'),
    async stop() {
      const started = await running?.catch((error) => log.debug({ error }, 'embedded issuer did not start'));
      await started?.stop();
    },
  };
}

/**
 * Removes the session cookie of the issuer, so that every authorization request requires the password: the
 * session of this server is the only one, and simultaneous sign-ins in two tabs do not interfere.
 */
function withoutIssuerSession(headers: Headers): Headers {
  const kept = (headers.get('Cookie') ?? '').split(/; */).filter((pair) => !isIssuerSession(pair));
  const changed = new Headers(headers);
  changed.delete('Cookie');
  if (kept.some(Boolean)) changed.set('Cookie', kept.join('; '));
  return changed;
}

function responseHeaders(headers: Headers): Headers {
  const changed = new Headers(headers);
  for (const name of ['set-cookie', 'connection', 'keep-alive', 'transfer-encoding']) changed.delete(name);
  for (const cookie of headers.getSetCookie())
    if (!isIssuerSession(cookie)) changed.append('Set-Cookie', cookie);
  return changed;
}

function isIssuerSession(cookie: string): boolean {
  return cookie.startsWith(`${ISSUER_SESSION_COOKIE}=`) || cookie.startsWith(`${ISSUER_SESSION_COOKIE}.sig=`);
}
