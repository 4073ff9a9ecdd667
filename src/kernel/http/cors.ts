import { cors } from 'hono/cors';
import type { App } from './context.ts';
import { IGNORED_FIELDS } from './ignored-fields.ts';

/** Response header fields that pages may read. */
const EXPOSED = ['Retry-After', 'X-Request-Id', 'Location', 'Preference-Applied', IGNORED_FIELDS] as const;

interface PageAccess {
  /** Paths that pages of other origins may request. */
  paths: readonly string[];
  methods?: readonly string[];
  /** Request header fields that those pages may send. */
  headers: readonly string[];
  /** Reports whether pages of `origin` may call. */
  allows(origin: string): Promise<boolean> | boolean;
}

/**
 * Allows pages of other origins to request `paths`, without cookies
 * (https://fetch.spec.whatwg.org/#http-cors-protocol).
 */
export function allowPages(app: App, { paths, methods = ['POST'], headers, allows }: PageAccess): void {
  const middleware = cors({
    origin: async (origin) => (origin !== '' && (await allows(origin)) ? origin : null),
    allowMethods: [...methods],
    allowHeaders: ['Content-Type', ...headers],
    exposeHeaders: [...EXPOSED],
    maxAge: 600,
  });
  for (const path of paths) app.use(path, middleware);
}

interface BearerAccess {
  /** Pattern of the paths. */
  pattern: string;
  /** Prefix of paths that have separate rules. */
  except?: string;
  origins: readonly string[];
  headers: readonly string[];
  /** Response header fields that pages may read, in addition to those of every endpoint. */
  exposed: readonly string[];
}

/**
 * Allows pages of `origins` to make requests with a bearer token, without cookies. A preflight request does not show
 * whether there will be a token, so its response is the same for all; the response to a request without one is hidden.
 */
export function allowBearer(app: App, { pattern, except, origins, headers, exposed }: BearerAccess): void {
  if (origins.length === 0) return;
  const middleware = cors({
    origin: (origin) => (origins.includes(origin) ? origin : null),
    allowMethods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
    allowHeaders: ['Authorization', 'Content-Type', 'Prefer', ...headers],
    exposeHeaders: [...EXPOSED, ...exposed],
    maxAge: 600,
  });
  app.use(pattern, async (c, next) => {
    const isPreflight =
      c.req.method === 'OPTIONS' && c.req.header('Access-Control-Request-Method') !== undefined;
    const hasToken = /^Bearer /i.test(c.req.header('Authorization') ?? '');
    const isExcepted = except !== undefined && c.req.path.startsWith(except);
    if (isExcepted || !(isPreflight || hasToken)) return await next();
    return await middleware(c, next);
  });
}
