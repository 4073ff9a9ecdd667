import { cors } from 'hono/cors';
import type { App } from './context.ts';

interface PageAccess {
  /** Paths that pages of other origins may POST to. */
  paths: readonly string[];
  /** Request header fields that those pages may send. */
  headers: readonly string[];
  /** Reports whether pages of `origin` may call. */
  allows(origin: string): Promise<boolean> | boolean;
}

/** Lets pages of other origins POST to `paths`, without cookies (https://fetch.spec.whatwg.org/#http-cors-protocol). */
export function allowPages(app: App, { paths, headers, allows }: PageAccess): void {
  const middleware = cors({
    origin: async (origin) => (origin !== '' && (await allows(origin)) ? origin : null),
    allowMethods: ['POST'],
    allowHeaders: ['Content-Type', ...headers],
    exposeHeaders: ['Retry-After', 'X-Request-Id'],
    maxAge: 600,
  });
  for (const path of paths) app.use(path, middleware);
}
