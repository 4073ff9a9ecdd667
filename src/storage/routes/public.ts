import { z } from '@hono/zod-openapi';
import { getCookie } from 'hono/cookie';
import type { App, Ctx } from '../../kernel/http/context.ts';
import { type EndpointDoc, endpoint, pathId } from '../../kernel/http/endpoint.ts';
import type { Access, Shown, Way } from '../access.ts';
import type { BlobReader } from '../blobs/small.ts';
import { sendBytes } from '../bytes.ts';
import type { Downloads } from '../downloads.ts';
import { representationOf } from '../file.ts';
import { sendThumbnail } from './thumbnail.ts';

interface PublicRoutesParts {
  access: Access;
  downloads: Downloads;
  blobs: BlobReader;
}

const secrets = {
  filePassword: z.string().optional().openapi({ description: 'Or the header X-File-Password' }),
  inline: z.literal('1').optional().openapi({ description: 'Show it, where its type can run no script' }),
  thumbnail: z.literal('1').optional().openapi({ description: 'The thumbnail in place of the file; counts as no download' }),
};
const doc: Omit<EndpointDoc, 'summary' | 'query'> = {
  tags: ['links'],
  answers: {
    200: { description: 'The bytes.', schema: z.string(), mediaType: '*/*' },
    206: { description: 'The range that was asked for.', schema: z.string(), mediaType: '*/*' },
    304: { description: 'The client has it.', schema: null },
  },
  problems: [
    'not_found',
    'no_thumbnail',
    'access_key_required',
    'access_key_wrong',
    'file_password_required',
    'file_password_wrong',
    'link_expired',
    'download_limit_reached',
    'precondition_failed',
    'range_not_satisfiable',
    'too_many_attempts',
  ],
};

/** The anonymous ways to a file's bytes. */
export function mountPublic(app: App, parts: PublicRoutesParts): void {
  allowEveryOrigin(app, ['/api/storage/public/media/:token', '/api/storage/public/private/:id', '/public/media/:token']);

  endpoint(
    app,
    'get',
    '/api/storage/public/media/{token}',
    { ...doc, summary: 'A shared file by its direct token', query: z.object({ accessKey: z.string().optional(), ...secrets }) },
    (c) => send(c, parts, { by: 'directToken', value: c.req.param('token') ?? '' }, 'accessKey'),
  );

  endpoint(
    app,
    'get',
    '/api/storage/public/private/{id}',
    { ...doc, summary: 'A file by its id and access key', query: z.object({ key: z.string().optional(), ...secrets }) },
    (c) => send(c, parts, { by: 'id', value: pathId(c, 'id') }, 'key'),
  );

  endpoint(
    app,
    'get',
    '/public/media/{token}',
    { ...doc, summary: 'A shared file by its UI token', query: z.object({ accessKey: z.string().optional(), ...secrets }) },
    (c) => send(c, parts, { by: 'uiToken', value: c.req.param('token') ?? '' }, 'accessKey'),
  );
}

async function send(c: Ctx, { access, downloads, blobs }: PublicRoutesParts, way: Way, keyName: string): Promise<Response> {
  const { file, secretUsed } = await access.open(way, shownBy(c, keyName));
  if (c.req.query('thumbnail') === '1') return await sendThumbnail(c.req.raw, blobs, file, { secretUsed, anonymous: true });
  return await sendBytes(c.req.raw, blobs, representationOf(file), {
    inline: c.req.query('inline') === '1',
    secretUsed,
    anonymous: true,
    beforeBytes: () => downloads.take(file, { address: c.get('address'), userAgent: c.req.header('User-Agent') ?? '' }),
  });
}

/** The name of the cookie in which a file's page keeps its pass. */
export const PASS_COOKIE = 'posthouse-pass';

/** The secrets that came with a request: headers before the query, where they stand in a URL. */
export function shownBy(c: Ctx, keyName = 'accessKey'): Shown {
  return {
    address: c.get('address'),
    accessKey: c.req.header('X-Access-Key') ?? c.req.query(keyName) ?? null,
    filePassword: c.req.header('X-File-Password') ?? c.req.query('filePassword') ?? null,
    pass: getCookie(c, PASS_COOKIE) ?? null,
  };
}

/** CORS (https://fetch.spec.whatwg.org/#http-cors-protocol) without credentials: a stranger's page is a stranger. */
function allowEveryOrigin(app: App, paths: readonly string[]): void {
  for (const path of paths) {
    app.use(path, async (c, next) => {
      await next();
      c.res.headers.set('Access-Control-Allow-Origin', '*');
      c.res.headers.set('Access-Control-Expose-Headers', 'Content-Range, Content-Disposition, ETag, Repr-Digest');
    });
    app.options(path, (c) =>
      c.body(null, 204, {
        'Access-Control-Allow-Methods': 'GET, HEAD',
        'Access-Control-Allow-Headers': 'Range, If-Range, X-Access-Key, X-File-Password',
        'Access-Control-Max-Age': '86400',
      }),
    );
  }
}
