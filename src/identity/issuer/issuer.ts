import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBytes } from '../../kernel/http/body.ts';
import type { App } from '../../kernel/http/context.ts';
import { notFound } from '../../kernel/http/problem.ts';
import { describeError, type Log } from '../../kernel/log.ts';
import { originOf } from '../origins.ts';
import type { PasswordLogin } from '../password-login.ts';
import type { SameOriginRule } from '../same-origin.ts';
import { INTERACTION_PATH, ISSUER_PATH, ISSUER_SESSION_COOKIE } from './names.ts';
import type { ProviderParts } from './provider.ts';
import { type PrivateRequest, type PrivateServer, serveOnSocket } from './socket.ts';

interface IssuerParts extends Omit<ProviderParts, 'keys'> {
  keys: () => Promise<ProviderParts['keys']>;
  passwordLogin: PasswordLogin;
  isSameOrigin: SameOriginRule;
}

/** The embedded issuer under `/oidc`. */
export interface Issuer {
  mount(app: App): void;
  /** Sends the relying party's own request to the issuer, without a way over the network. */
  fetch(url: URL, init: PrivateRequest): Promise<Response>;
  stop(): Promise<void>;
}

const BODY_LIMIT = 65_536;
const NOT_PASSED_ON = [
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
 * The library is a Koa application for Node's HTTP server, so it runs behind a private socket of this process. It is loaded
 * with the first sign-in: a node that nobody signs in at never pays for it.
 */
export function createIssuer(parts: IssuerParts): Issuer {
  const { origins, log } = parts;
  let running: Promise<PrivateServer> | undefined;
  const server = () => {
    running ??= start(parts).catch((error) => {
      running = undefined;
      throw error;
    });
    return running;
  };

  async function forward(origin: string, target: string, init: PrivateRequest, address: string) {
    const headers = new Headers(init.headers);
    for (const name of NOT_PASSED_ON) headers.delete(name);
    const { host, protocol } = new URL(origin);
    headers.set('X-Forwarded-Host', host);
    headers.set('X-Forwarded-Proto', protocol.slice(0, -1));
    headers.set('X-Forwarded-For', address);
    const answer = await (await server()).fetch(target, { ...init, headers });
    return new Response(answer.body, { status: answer.status, headers: passedBack(answer.headers) });
  }

  return {
    mount(app) {
      app.all(`${ISSUER_PATH}/*`, async (c) => {
        const { url, method, headers } = c.req.raw;
        const { pathname, search } = new URL(url);
        const origin = originOf(origins, url);
        const body = method === 'GET' || method === 'HEAD' ? null : await readBytes(c, BODY_LIMIT);
        const answer = await forward(origin, pathname + search, { method, headers: withoutIssuerSession(headers), body }, c.get('address'));
        // Where the library has no route it says so in its own way.
        if (answer.status === 404 && answer.headers.get('Content-Type')?.startsWith('text/plain')) throw notFound();
        return answer;
      });
    },
    fetch: (url, init) => forward(origins[0], url.pathname + url.search, init, '127.0.0.1'),
    async stop() {
      const started = await running?.catch((error) => log.debug({ error: describeError(error) }, 'the embedded issuer had not started'));
      await started?.stop();
    },
  };
}

async function start({ keys, passwordLogin, isSameOrigin, ...parts }: IssuerParts): Promise<PrivateServer> {
  const issuerKeys = await keys();
  const { createProvider, createInteraction } = await loadLibrary(parts.log);
  const provider = createProvider({ ...parts, keys: issuerKeys });
  const interact = createInteraction({ provider, passwordLogin, isSameOrigin, log: parts.log });
  const serve = provider.callback();
  return await serveOnSocket((req: IncomingMessage & { originalUrl?: string }, res: ServerResponse) => {
    // The library finds its own routes below the prefix, and builds addresses with what the whole path has before them.
    req.originalUrl = req.url;
    req.url = req.url?.slice(ISSUER_PATH.length) || '/';
    if (!req.url.startsWith(`${INTERACTION_PATH}/`)) return void serve(req, res);
    interact(req, res).catch((error) => {
      parts.log.error({ error: describeError(error) }, 'the sign-in page failed');
      res.statusCode = 500;
      res.end();
    });
  });
}

/** The library warns of every runtime but Node.js, and Bun of a function that its signatures use, both on standard error, where our log is. */
async function loadLibrary(log: Log) {
  process.noDeprecation = true;
  const { warn } = console;
  console.warn = (...words: unknown[]) => log.debug({ words }, 'a library warned');
  try {
    return { ...(await import('./provider.ts')), ...(await import('./interaction.ts')) };
  } finally {
    console.warn = warn;
  }
}

/**
 * The issuer keeps nobody signed in: with its session cookie withheld every authorization request asks for the password,
 * so that ending our session ends all there is, and two tabs cannot get into each other's way.
 */
function withoutIssuerSession(headers: Headers): Headers {
  const kept = (headers.get('Cookie') ?? '').split(/; */).filter((pair) => !isIssuerSession(pair));
  const changed = new Headers(headers);
  changed.delete('Cookie');
  if (kept.some(Boolean)) changed.set('Cookie', kept.join('; '));
  return changed;
}

function passedBack(headers: Headers): Headers {
  const changed = new Headers(headers);
  for (const name of ['set-cookie', 'connection', 'keep-alive', 'transfer-encoding']) changed.delete(name);
  for (const cookie of headers.getSetCookie()) if (!isIssuerSession(cookie)) changed.append('Set-Cookie', cookie);
  return changed;
}

function isIssuerSession(cookie: string): boolean {
  return cookie.startsWith(`${ISSUER_SESSION_COOKIE}=`) || cookie.startsWith(`${ISSUER_SESSION_COOKIE}.sig=`);
}
