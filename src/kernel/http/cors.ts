import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import type { App, Ctx, Env } from './context.ts';
import { IGNORED_FIELDS } from './ignored-fields.ts';
import { addVary } from './vary.ts';

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
  const middleware = allowOrigins({
    allows,
    methods,
    headers: ['Content-Type', ...headers],
    exposed: EXPOSED,
  });
  for (const path of paths) app.use(path, middleware);
}

interface BearerAccess {
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
  const middleware = allowOrigins({
    allows: (origin) => origins.includes(origin),
    // OPTIONS returns the limits of uploads (tus 1.0.0, “OPTIONS”).
    methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS'],
    headers: ['Authorization', 'Content-Type', 'Prefer', ...headers],
    exposed: [...EXPOSED, ...exposed],
  });
  app.use(pattern, async (c, next) => {
    const hasToken = /^Bearer /i.test(c.req.header('Authorization') ?? '');
    const isExcepted = except !== undefined && c.req.path.toLowerCase().startsWith(except);
    if (isExcepted || !(isPreflight(c) || hasToken)) return await next();
    return await middleware(c, next);
  });
}

const isPreflight = (c: Ctx) =>
  c.req.method === 'OPTIONS' && c.req.header('Access-Control-Request-Method') !== undefined;

interface OriginAccess extends Pick<PageAccess, 'headers' | 'allows'> {
  methods: readonly string[];
  exposed: readonly string[];
}

/**
 * Hono's middleware handles preflight requests alone: by setting header fields before the handler runs, it would
 * replace the response, and a `ContentResponse` would lose its content.
 */
function allowOrigins({ allows, methods, headers, exposed }: OriginAccess): MiddlewareHandler<Env> {
  const originOf = async (origin: string) => (origin !== '' && (await allows(origin)) ? origin : null);
  const preflight = cors({
    origin: originOf,
    allowMethods: [...methods],
    allowHeaders: [...headers],
    maxAge: 600,
  });
  return async (c, next) => {
    if (isPreflight(c)) return await preflight(c, next);
    const allowed = await originOf(c.req.header('Origin') ?? '');
    await next();
    const fields = c.res.headers;
    if (allowed !== null) fields.set('Access-Control-Allow-Origin', allowed);
    fields.set('Access-Control-Expose-Headers', exposed.join());
    addVary(fields, 'Origin');
  };
}
