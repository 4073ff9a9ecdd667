import { getPath } from 'hono/utils/url';
import { unavailable } from '../errors/unavailable.ts';
import type { EventLoopWatch, Route } from '../event-loop/event-loop.ts';
import { createTimeSlices } from '../event-loop/time-slices.ts';
import { whenReady } from '../event-loop/when-ready.ts';
import { newId } from '../ids.ts';
import type { Callers } from '../limits/callers.ts';
import type { Log } from '../log.ts';
import type { Series } from '../metrics/histogram.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Problem } from '../problem.ts';
import type { Addresses } from './address.ts';
import { addCommonHeaders } from './common-headers.ts';
import { createCompression } from './compression.ts';
import { fieldsOf } from './content/content-response.ts';
import { type App, createApp, type Exchange } from './context.ts';
import { type Problems, problemResponse } from './problems/problems.ts';
import { createRefusalSeries } from './problems/refusal-series.ts';
import { asProblem, mountRefusals } from './problems/refusals.ts';

interface HttpDeps {
  problems: Problems;
  log: Log;
  metrics: Metrics;
  addresses: Addresses;
  eventLoop: Pick<EventLoopWatch, 'begin' | 'end'>;
  callers: Pick<Callers, 'run' | 'recordRead'>;
  /** Whether the public URL uses https. */
  secure: boolean;
}

/** Returns the address of a socket's peer; null when it has disconnected. */
export type Peer = () => string | null;

export interface Http {
  /** Services mount their routes here. */
  app: App;
  /** Handles a request, with request id, security headers, rendered errors, access log and metrics. */
  answer(request: Request, peer: Peer): Response | Promise<Response>;
  /** Returns the response that replaces one whose file cannot be opened. */
  unsent(error: unknown): Response;
  /** Returns the response to a request that is refused because other connections hold too many file descriptors. */
  excess(): Response;
}

const DURATION_BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60];

export function createHttp(deps: HttpDeps): Http {
  const { problems, log, metrics, addresses, eventLoop, callers, secure } = deps;
  const app = createApp();
  const refusals = metrics.counter('posthouse_http_refusals_total', 'Error responses, by code', ['code']);
  mountRefusals(app, { log, refusals });
  const recordExcess = createRefusalSeries({ log });
  const compress = createCompression();
  const durationsOf = createDurations(metrics);
  const routeOf = createRoutes(app);
  const giveWay = createTimeSlices();

  const dispatch = (request: Request, exchange: Exchange) =>
    whenReady(app.fetch(request, exchange), (response) =>
      exchange.rewritten ? app.fetch(exchange.rewritten, exchange) : response,
    );

  function record({ request: { method }, exchange, status, started, ...facts }: Answered): void {
    const route = exchange.rewritten ? routeOf(exchange.rewritten).path : facts.route;
    const seconds = (performance.now() - started) / 1000;
    durationsOf(method, route, status).observe(seconds);
    const level = status >= 500 && !exchange.isFailureLogged ? 'error' : 'debug';
    if (!log.isLevelEnabled(level)) return;
    const { requestId, address } = exchange;
    log[level]({ requestId, method, route, status, ms: Math.round(seconds * 1e5) / 100, address }, 'request');
  }

  /** Returns the response to a request that does not reach its route. */
  function refuse(problem: Problem, id: string): Response {
    refusals.inc({ code: problem.code });
    const response = problemResponse(problems, problem, id);
    addCommonHeaders(response.headers, { requestId: id }, secure);
    return response;
  }

  return {
    app,
    answer(request, peer) {
      const started = performance.now();
      const exchange = createExchange(request, peer, { problems, addresses, giveWay });
      const route = routeOf(request);
      eventLoop.begin(route);
      const answered = whenReady(
        callers.run(exchange, () => dispatch(request, exchange)),
        (response) => compress(request, exchange, response),
      );
      return whenReady(answered, (response) => {
        eventLoop.end(route);
        if (isRead(request, response)) callers.recordRead(exchange);
        addCommonHeaders(fieldsOf(response), exchange, secure);
        record({ request, exchange, route: route.path, status: response.status, started });
        return response;
      });
    },
    unsent(error) {
      const id = newId();
      return refuse(asProblem(error, log, id), id);
    },
    excess() {
      recordExcess();
      return refuse(unavailable('system'), newId());
    },
  };
}

/** Refusals are no reads: they would slow down the writes of others at little cost. */
function isRead({ method }: Request, { status }: Response): boolean {
  return (method === 'GET' || method === 'HEAD') && status < 400;
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
  { problems, addresses, giveWay }: Pick<HttpDeps, 'problems' | 'addresses'> & Pick<Exchange, 'giveWay'>,
): Exchange {
  // `peer` is a system call, so a GET makes it only when it needs the address. Other requests may outlive their
  // connection.
  let known = method === 'GET' ? undefined : peer();
  const exchange = {
    requestId: newId(),
    problems,
    giveWay,
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

/** Returns a function that returns the series of the durations of responses with a method, route and status. */
function createDurations(metrics: Metrics) {
  const addSeries = metrics.series(
    'posthouse_http_request_duration_seconds',
    'Time from a request to the head of its response',
    DURATION_BUCKETS,
  );
  const all = new Map<string, Series>();
  return (method: string, route: string, status: number): Series => {
    const key = `${method} ${route} ${status}`;
    const known = all.get(key);
    if (known) return known;
    const added = addSeries({ method, route, status });
    all.set(key, added);
    return added;
  };
}

/** Recorded for requests that match no route. */
const NO_ROUTE = { method: 'ALL', path: '/*' };

/** Returns a function that returns the route of a request. */
function createRoutes({ router }: App): (request: Request) => Route {
  /** Routes by the handlers that the router finds, which are the same for all requests of a route. */
  const known = new WeakMap<object, Route>();
  return (request) => {
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const [handlers] = router.match(method, getPath(request));
    const found = known.get(handlers);
    if (found) return found;
    const routes = handlers.map(([[, route]]) => route);
    const route = routes.find((each) => each.method !== 'ALL') ?? routes.at(-1) ?? NO_ROUTE;
    known.set(handlers, route);
    return route;
  };
}
