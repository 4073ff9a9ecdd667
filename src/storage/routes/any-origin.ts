import type { App } from '../../kernel/http/context.ts';

/** Header fields of all responses with bytes: pages of every origin may read them. */
export const ANY_ORIGIN = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'Content-Range, Content-Disposition, ETag, Repr-Digest, Retry-After, Posthouse-Ignored-Fields',
} as const;

/** CORS (https://fetch.spec.whatwg.org/#http-cors-protocol) for every origin, without credentials. */
export function answerPreflights(app: App, path: string, methods = 'GET, HEAD'): void {
  app.options(path, (c) =>
    c.body(null, 204, {
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Methods': methods,
      'Access-Control-Allow-Headers': 'Range, If-Range, X-Access-Key, X-File-Password',
      'Access-Control-Max-Age': '86400',
    }),
  );
}
