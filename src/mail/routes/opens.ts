import { anyone } from '../../kernel/http/auth.ts';
import { binary } from '../../kernel/http/bodies/request-body.ts';
import type { App, Ctx } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { opaque } from '../../kernel/http/params.ts';
import { limitKey } from '../../kernel/ip.ts';
import type { RateLimit } from '../../kernel/limits/rates.ts';
import type { Log } from '../../kernel/log.ts';
import { type Opens, PIXEL_PATH } from '../opens.ts';

/** A transparent GIF of one pixel. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/**
 * Serves the pixel of tracked e-mails. Requests with invalid tokens get it too, since mail programs show it.
 */
export function mountOpens(
  app: App,
  { opens, limit, log }: { opens: Opens; limit: RateLimit; log: Log },
): void {
  endpoint(app, {
    method: 'get',
    path: `${PIXEL_PATH}/{token}`,
    operation: 'getOpenPixel',
    summary: 'Get the pixel of an e-mail with TrackOpens',
    tags: ['mail'],
    auth: anyone,
    params: { token: opaque },
    responses: { 200: { description: 'A transparent picture.', schema: binary, mediaType: 'image/gif' } },
    handler({ c, params: { token } }) {
      if (c.req.method === 'GET' && limit.take(limitKey(c.env.address)) === 0) recordOpen(c, token);
      return new Response(PIXEL, {
        headers: {
          'Content-Type': 'image/gif',
          'Cache-Control': 'no-store, private',
          'Cross-Origin-Resource-Policy': 'cross-origin',
        },
      });
    },
  });

  function recordOpen(c: Ctx, token: string): void {
    const purpose = ['Sec-Purpose', 'Purpose', 'X-Moz'].map((name) => c.req.header(name) ?? '').join(' ');
    const prefetch = /prefetch|prerender/i.test(purpose);
    opens
      .record(token, { address: c.env.address, userAgent: c.req.header('User-Agent') ?? null, prefetch })
      .catch((error) => log.error({ error }, 'storing the opening of an e-mail failed'));
  }
}
