import { getPath } from 'hono/utils/url';
import type { EventLoopWatch } from '../event-loop.ts';
import { newId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { whenReady } from '../when-ready.ts';
import type { Addresses } from './address.ts';
import { createCompression } from './compression.ts';
import { type App, createApp, type Exchange } from './context.ts';
import { IGNORED_FIELDS, ignoredFields } from './ignored-fields.ts';
import type { Problems } from './problems.ts';
import { mountRefusals } from './refusals.ts';

interface HttpDeps {
  problems: Problems;
  log: Log;
  metrics: Metrics;
  addresses: Addresses;
  eventLoop: Pick<EventLoopWatch, 'begin' | 'end'>;
  /** Whether the public URL uses https. */
  secure: boolean;
}

/** Returns the address of a socket's peer; null when it has disconnected. */
export type Peer = () => string | null;

export interface Http {
  /** Services mount their routes here. */
  app: App;
  /** Answers with request id, security headers, rendered errors, access log and metrics. */
  answer(request: Request, peer: Peer): Response | Promise<Response>;
}

const DURATION_BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60];

export function createHttp({ problems, log, metrics, addresses, eventLoop, secure }: HttpDeps): Http {
  const app = createApp();
  mountRefusals(app, { log, metrics });
  const compress = createCompression();
  const durations = metrics.histogram(
    'posthouse_http_request_duration_seconds',
    'Time from a request to the head of its response',
    ['method', 'route', 'status'],
    DURATION_BUCKETS,
  );

  const dispatch = (request: Request, exchange: Exchange) =>
    whenReady(app.fetch(request, exchange), (response) =>
      exchange.rewritten ? app.fetch(exchange.rewritten, exchange) : response,
    );

  function record({ request: { method }, exchange, status, started, ...facts }: Answered): void {
    const route = exchange.rewritten ? routeOf(app, exchange.rewritten).path : facts.route;
    const seconds = (performance.now() - started) / 1000;
    durations.observe({ method, route, status }, seconds);
    const level = status >= 500 ? 'error' : 'debug';
    if (!log.isLevelEnabled(level)) return;
    const { requestId, address } = exchange;
    log[level]({ requestId, method, route, status, ms: Math.round(seconds * 1e5) / 100, address }, 'request');
  }

  return {
    app,
    answer(request, peer) {
      const started = performance.now();
      const exchange = createExchange(request, peer, { problems, addresses });
      const route = routeOf(app, request);
      eventLoop.begin(route);
      const answered = whenReady(dispatch(request, exchange), (response) =>
        compress(request, exchange, response),
      );
      return whenReady(answered, (response) => {
        eventLoop.end(route);
        addCommonHeaders(response.headers, exchange, secure);
        record({ request, exchange, route: route.path, status: response.status, started });
        return response;
      });
    },
  };
}

interface Answered {
  request: Request;
  exchange: Exchange;
  route: string;
  status: number;
  /** `performance.now()` */
  started: number;
}

function createExchange(
  { method, headers }: Request,
  peer: Peer,
  { problems, addresses }: Pick<HttpDeps, 'problems' | 'addresses'>,
): Exchange {
  // A system call, which a GET that does not need the address saves. Other requests may outlive their connection.
  let known = method === 'GET' ? undefined : peer();
  const exchange = {
    requestId: newId(),
    problems,
    get peer() {
      known ??= peer();
      return known;
    },
    get address() {
      return addresses.client(exchange.peer ?? 'disconnected', headers.get('X-Forwarded-For'));
    },
  };
  return exchange;
}

/** The route of requests without one. */
const NO_ROUTE = { method: 'ALL', path: '/*' };

/** Returns the route of a request. Its pattern, not the path itself, is logged: paths can contain tokens. */
function routeOf(app: App, request: Request): { method: string; path: string } {
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const routes = app.router.match(method, getPath(request))[0].map(([[, route]]) => route);
  return routes.find((route) => route.method !== 'ALL') ?? routes.at(-1) ?? NO_ROUTE;
}

function addCommonHeaders(headers: Headers, { requestId, added, ignored }: Exchange, secure: boolean): void {
  const setDefault = (name: string, value: string) => {
    if (!headers.has(name)) headers.set(name, value);
  };
  headers.set('X-Request-Id', requestId);
  headers.set('X-Content-Type-Options', 'nosniff');
  setDefault('Referrer-Policy', 'no-referrer');
  setDefault('X-Frame-Options', 'DENY');
  setDefault('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  setDefault('Cross-Origin-Resource-Policy', 'same-origin');
  if (secure) headers.set('Strict-Transport-Security', 'max-age=31536000');
  if (ignored && ignored.length > 0) headers.set(IGNORED_FIELDS, ignoredFields(ignored));
  for (const name in added) headers.set(name, added[name] ?? '');
}
