import { HTTPException } from 'hono/http-exception';
import { routePath } from 'hono/route';
import type { EventLoopWatch } from '../event-loop.ts';
import { newId } from '../ids.ts';
import { describeError, type Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { notFound, Problem } from '../problem.ts';
import { isStorageFull, storageFull } from '../storage-full.ts';
import { asUnavailable } from '../unavailable.ts';
import type { Addresses } from './address.ts';
import { type App, type Ctx, createApp } from './context.ts';
import { allowOf, createKnownPaths } from './known-paths.ts';
import { missingPage, prefersPage, problemPage } from './problem-page.ts';
import { HttpProblem, type Problems } from './problems.ts';

interface HttpDeps {
  problems: Problems;
  log: Log;
  metrics: Metrics;
  addresses: Addresses;
  eventLoop: Pick<EventLoopWatch, 'begin'>;
  /** Whether the public URL uses https. */
  secure: boolean;
}

const DURATION_BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60];

/**
 * Creates the app for the routes of all services, with request ids, security headers, error rendering, access log
 * and metrics.
 */
export function createHttp({ problems, log, metrics, addresses, eventLoop, secure }: HttpDeps): App {
  const app = createApp();
  const durations = metrics.histogram(
    'posthouse_http_request_duration_seconds',
    'Time from a request to the head of its response',
    ['method', 'route', 'status'],
    DURATION_BUCKETS,
  );

  const knownPath = createKnownPaths(app);

  app.use('*', async (c, next) => {
    const started = performance.now();
    c.set('requestId', newId());
    c.set('problems', problems);
    c.set('address', addresses.client(c.env.peer, c.req.header('X-Forwarded-For') ?? null));
    // The pattern, not the path: paths can contain tokens.
    const route = routePath(c, -1);
    const end = eventLoop.begin(`${c.req.method} ${route}`);
    await next().finally(end);
    const rewritten = c.get('rewritten');
    if (rewritten !== undefined) {
      // Without this line, Hono would copy the response.
      c.res = undefined;
      c.res = await app.fetch(rewritten, c.env);
      return;
    }
    addCommonHeaders(c, secure);
    if (c.req.method === 'HEAD') await setContentLength(c);
    const seconds = (performance.now() - started) / 1000;
    const { status } = c.res;
    durations.observe({ method: c.req.method, route, status }, seconds);
    log[status >= 500 ? 'error' : 'debug'](
      {
        requestId: c.get('requestId'),
        method: c.req.method,
        route,
        status,
        ms: Math.round(seconds * 1e5) / 100,
        address: c.get('address'),
      },
      'request',
    );
  });

  const refuse = (c: Ctx, problem: Problem) =>
    prefersPage(c) ? problemPage(c, problem) : problems.render(problem, c.get('requestId'));
  app.notFound((c) => {
    const url = new URL(c.req.url);
    const known = knownPath(url.pathname);
    if (known === null || (known.path === url.pathname && answers(known.methods, c.req.method)))
      return prefersPage(c) ? missingPage() : problems.render(notFound(), c.get('requestId'));
    if (!answers(known.methods, c.req.method)) return otherMethod(c, known.methods, refuse);
    url.pathname = known.path;
    c.set('rewritten', new Request(url.href, c.req.raw));
    return c.body(null, 404);
  });
  app.onError((error, c) => refuse(c, asProblem(error, log, c)));
  return app;
}

function answers(methods: ReadonlySet<string>, method: string): boolean {
  return methods.has(method) || (method === 'HEAD' && methods.has('GET'));
}

/** Answers a method that a known path does not have (RFC 9110 §15.5.6, §9.3.7). */
function otherMethod(
  c: Ctx,
  methods: ReadonlySet<string>,
  refuse: (c: Ctx, problem: Problem) => Response | Promise<Response>,
): Response | Promise<Response> {
  const headers = { Allow: allowOf(methods) };
  if (c.req.method === 'OPTIONS') return c.body(null, 204, headers);
  const detail = `This address takes ${headers.Allow}.`;
  return refuse(c, new HttpProblem('method_not_allowed', detail, { headers }));
}

function addCommonHeaders(c: Ctx, secure: boolean): void {
  const { headers } = c.res;
  const setDefault = (name: string, value: string) => {
    if (!headers.has(name)) headers.set(name, value);
  };
  headers.set('X-Request-Id', c.get('requestId'));
  headers.set('X-Content-Type-Options', 'nosniff');
  setDefault('Referrer-Policy', 'no-referrer');
  setDefault('X-Frame-Options', 'DENY');
  setDefault('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  setDefault('Cross-Origin-Resource-Policy', 'same-origin');
  if (secure) headers.set('Strict-Transport-Security', 'max-age=31536000');
}

/**
 * Sets the length and the type that the response to a GET would have (RFC 9110 §8.6). Handlers of large bodies set it
 * themselves.
 */
async function setContentLength({ res }: Ctx): Promise<void> {
  if (!res.body || res.headers.has('Content-Length')) return;
  // Bun adds the type of a text to responses with a body only.
  if (!res.headers.has('Content-Type')) res.headers.set('Content-Type', 'text/plain;charset=utf-8');
  res.headers.set('Content-Length', String((await res.clone().bytes()).length));
}

function asProblem(error: Error, log: Log, c: Ctx): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof HTTPException && error.status < 500)
    return new Problem('invalid_request', 'The request could not be read.');
  // PostgreSQL's character_not_in_repertoire: its text type allows every character but U+0000.
  if ((error as { code?: unknown }).code === '22021') {
    return new Problem(
      'invalid_request',
      'The request contains the character U+0000, which no text may contain.',
    );
  }
  // The client disconnected during its request: not an error of the server.
  if (error.name === 'AbortError')
    return new Problem('invalid_request', 'The request ended before its body was complete.');
  if (isStorageFull(error)) {
    log.error({ requestId: c.get('requestId'), error: describeError(error) }, 'the disk is full');
    return storageFull(error);
  }
  const unavailable = asUnavailable(error);
  if (unavailable) {
    log.warn({ requestId: c.get('requestId'), error: describeError(error) }, 'an engine is unavailable');
    return unavailable;
  }
  log.error({ requestId: c.get('requestId'), error: describeError(error) }, 'unexpected error');
  return new Problem(
    'internal_error',
    'The request failed because of an internal error. The log has the cause under the request id.',
  );
}
