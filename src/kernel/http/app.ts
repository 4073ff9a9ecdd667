import { HTTPException } from 'hono/http-exception';
import { routePath } from 'hono/route';
import { newId } from '../ids.ts';
import { describeError, type Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Addresses } from './address.ts';
import { type App, type Ctx, createApp } from './context.ts';
import { notFound, Problem, renderProblem } from './problem.ts';

interface HttpParts {
  log: Log;
  metrics: Metrics;
  addresses: Addresses;
  /** True when people reach the server over https. */
  secure: boolean;
}

const DURATION_BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60];

/** The app on which the services mount their routes: request ids, security headers, one renderer of errors, access log and metrics. */
export function createHttp({ log, metrics, addresses, secure }: HttpParts): App {
  const app = createApp();
  const durations = metrics.histogram(
    'posthouse_http_request_duration_seconds',
    'Time from a request to the head of its answer',
    ['method', 'route', 'status'],
    DURATION_BUCKETS,
  );

  app.use('*', async (c, next) => {
    const started = performance.now();
    c.set('requestId', newId());
    c.set('address', addresses.client(c.env.peer, c.req.header('X-Forwarded-For') ?? null));
    await next();
    addCommonHeaders(c, secure);
    if (c.req.method === 'HEAD') await tellLength(c);
    const seconds = (performance.now() - started) / 1000;
    // The pattern, not the path: tokens stand in paths.
    const route = routePath(c, -1);
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

  app.notFound((c) => renderProblem(notFound(), c.get('requestId')));
  app.onError((error, c) => renderProblem(asProblem(error, log, c), c.get('requestId')));
  return app;
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

/** RFC 9110 §8.6: the length that the answer to a GET would have. What is large says it by itself. */
async function tellLength({ res }: Ctx): Promise<void> {
  if (!res.body || res.headers.has('Content-Length')) return;
  res.headers.set('Content-Length', String((await res.clone().bytes()).length));
}

function asProblem(error: Error, log: Log, c: Ctx): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof HTTPException && error.status < 500) return new Problem('invalid_request', 'The request could not be read.');
  // PostgreSQL's character_not_in_repertoire: its texts hold every character but U+0000.
  if ((error as { code?: unknown }).code === '22021') {
    return new Problem('invalid_request', 'The request holds a character (U+0000) that no text may have.');
  }
  // The client went away in the middle of its request: nobody reads the answer, and nothing is wrong here.
  if (error.name === 'AbortError') return new Problem('invalid_request', 'The request ended before its body was complete.');
  log.error({ requestId: c.get('requestId'), error: describeError(error) }, 'unexpected error');
  return new Problem('internal_error', 'The server could not do this. The log has the reason under the request id.');
}
