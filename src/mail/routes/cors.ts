import type { App, Ctx } from '../../kernel/http/context.ts';
import type { Clients } from '../clients.ts';

/** Says whether pages of an origin may read our answers. */
export type AllowsOrigin = (origin: string) => Promise<boolean>;

/** @param always POSTHOUSE_CORS_ORIGINS */
export function createAllowsOrigin(always: readonly string[], clients: Clients): AllowsOrigin {
  return async (origin) => always.includes(origin) || (await clients.hasOrigin(origin));
}

const DAY_IN_SECONDS = 86_400;

/** Lets the pages of allowed origins call `path` (https://fetch.spec.whatwg.org/#http-cors-protocol), without cookies. */
export function allowOrigins(app: App, path: string, allowsOrigin: AllowsOrigin): void {
  app.use(path, async (c, next) => {
    await next();
    await addHeaders(c, allowsOrigin);
  });
  app.options(path, async (c) => {
    const origin = c.req.header('Origin');
    if (origin && (await allowsOrigin(origin))) {
      c.header('Access-Control-Allow-Methods', 'POST');
      c.header('Access-Control-Allow-Headers', 'Content-Type, Idempotency-Key, Prefer');
      c.header('Access-Control-Max-Age', String(DAY_IN_SECONDS));
    }
    return c.body(null, 204);
  });
}

async function addHeaders(c: Ctx, allowsOrigin: AllowsOrigin): Promise<void> {
  c.res.headers.append('Vary', 'Origin');
  const origin = c.req.header('Origin');
  if (!origin || !(await allowsOrigin(origin))) return;
  c.res.headers.set('Access-Control-Allow-Origin', origin);
  c.res.headers.set('Access-Control-Expose-Headers', 'X-Request-Id, Retry-After');
}
