import { z } from '@hono/zod-openapi';
import { limitKey } from '../../kernel/http/address.ts';
import type { App } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import type { RateLimit } from '../../kernel/limits/rates.ts';
import { describeError, type Log } from '../../kernel/log.ts';
import { type Opens, PIXEL_PATH } from '../opens.ts';

/** A transparent GIF of one pixel. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** The pixel in mails that asked to be tracked: the same answer whatever the token, since it is looked at in mail programs. */
export function mountOpens(app: App, { opens, limit, log }: { opens: Opens; limit: RateLimit; log: Log }): void {
  endpoint(
    app,
    'get',
    `${PIXEL_PATH}/{token}`,
    {
      summary: 'The pixel of a mail that asked for TrackOpens',
      tags: ['mail'],
      answers: { 200: { description: 'A transparent picture.', schema: z.string(), mediaType: 'image/gif' } },
    },
    (c) => {
      const address = c.get('address');
      if (c.req.method === 'GET' && limit.take(limitKey(address)) === 0) {
        const prefetch = /prefetch|prerender/i.test(
          `${c.req.header('Sec-Purpose') ?? ''} ${c.req.header('Purpose') ?? ''} ${c.req.header('X-Moz') ?? ''}`,
        );
        opens
          .note(c.req.param('token') ?? '', { address, userAgent: c.req.header('User-Agent') ?? null, prefetch })
          .catch((error) => log.error({ error: describeError(error) }, 'an open could not be noted'));
      }
      return new Response(PIXEL, {
        headers: { 'Content-Type': 'image/gif', 'Cache-Control': 'no-store, private', 'Cross-Origin-Resource-Policy': 'cross-origin' },
      });
    },
  );
}
