import type { App } from '../../kernel/http/context.ts';
import { IGNORED_FIELDS } from '../../kernel/http/ignored-fields.ts';

/** Header fields of responses that pages of every origin may read. @param exposed fields beside the common ones */
export const anyOrigin = (...exposed: readonly string[]) => ({
  'access-control-allow-origin': '*',
  'access-control-expose-headers': [...exposed, 'Retry-After', IGNORED_FIELDS].join(', '),
});

/** Those of all responses with bytes. */
export const ANY_ORIGIN = anyOrigin('Content-Range', 'Content-Disposition', 'ETag', 'Repr-Digest');

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
