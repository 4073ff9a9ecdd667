import { z } from '@hono/zod-openapi';
import { getCookie } from 'hono/cookie';
import { anyone } from '../../kernel/http/auth.ts';
import type { App, Ctx } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { guid, opaque } from '../../kernel/http/params.ts';
import { whenReady } from '../../kernel/when-ready.ts';
import type { BlobReader } from '../blobs/small.ts';
import type { Access, FileLink } from '../delivery/access.ts';
import type { Downloads } from '../delivery/downloads.ts';
import { GATE_PROBLEMS, type PresentedSecrets } from '../delivery/gate.ts';
import { BYTES_PROBLEMS, DOWNLOAD_ANSWERS, inlineParam, rangeHeaders, sendBytes } from './bytes.ts';
import { isCounted, RENDITIONS, sendRendition } from './renditions.ts';
import { orDeadLink } from './share-page/dead-link.ts';

interface PublicRoutesDeps {
  access: Access;
  downloads: Downloads;
  blobs: BlobReader;
}

/** Query parameters with the secrets of a file. */
export const secretParams = z.object({
  accessKey: z.string().optional().openapi({ description: 'Or the header X-Access-Key' }),
  filePassword: z.string().optional().openapi({ description: 'Or the header X-File-Password' }),
});
const displayParams = z.object({
  inline: inlineParam,
  thumbnail: z
    .literal('1')
    .optional()
    .openapi({ description: 'Send the thumbnail instead of the file; does not count as a download' }),
  preview: z.literal('1').optional().openapi({
    description:
      'Send the preview instead of the file; counts as a download only where their number is limited',
  }),
});
const linkQuery = secretParams.extend(displayParams.shape);
const keyQuery = displayParams.extend({
  key: secretParams.shape.accessKey,
  filePassword: secretParams.shape.filePassword,
});

/** Codes of `Access.open`. */
export const ACCESS_PROBLEMS = [...GATE_PROBLEMS, 'link_expired'] as const;

/** Header fields of all answers with bytes: pages of every origin may read them. */
export const ANY_ORIGIN = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Content-Range, Content-Disposition, ETag, Repr-Digest, Retry-After, Posthouse-Ignored-Fields',
} as const;

const NO_RENDITION = RENDITIONS.map(({ problem }) => problem);

const shared = {
  method: 'get',
  tags: ['sharing'],
  auth: anyone,
  headers: rangeHeaders,
  answers: DOWNLOAD_ANSWERS,
  problems: ['not_found', ...ACCESS_PROBLEMS, ...BYTES_PROBLEMS, ...NO_RENDITION, 'download_limit_reached'],
  everyAnswer: ANY_ORIGIN,
} as const;

const PATHS = ['/api/storage/public/media/:token', '/api/storage/public/private/:id', '/public/media/:token'];

/** The bytes of shared files, for anyone who has the link and its secrets. */
export function mountPublic(app: App, deps: PublicRoutesDeps): void {
  const send = (c: Ctx, link: FileLink, query: z.output<typeof linkQuery>) =>
    orDeadLink(c, () => sendFile(c, deps, link, query));
  for (const path of PATHS) answerPreflights(app, path);

  endpoint(app, {
    ...shared,
    path: '/api/storage/public/media/{token}',
    operation: 'downloadSharedFile',
    summary: 'Download a shared file by its direct token',
    params: { token: opaque },
    query: linkQuery,
    handler: ({ c, params: { token }, query }) => send(c, { by: 'directToken', value: token }, query),
  });

  endpoint(app, {
    ...shared,
    path: '/api/storage/public/private/{id}',
    operation: 'downloadFileByKey',
    summary: 'Download a file by its id and access key',
    params: { id: guid },
    query: keyQuery,
    handler: ({ c, params: { id }, query: { key, ...query } }) =>
      send(c, { by: 'id', value: id }, { ...query, accessKey: key }),
  });

  endpoint(app, {
    ...shared,
    path: '/public/media/{token}',
    operation: 'downloadSharedFileByPage',
    summary: 'Download a shared file by its UI token',
    params: { token: opaque },
    query: linkQuery,
    handler: ({ c, params: { token }, query }) => send(c, { by: 'uiToken', value: token }, query),
  });
}

function sendFile(
  c: Ctx,
  { access, downloads, blobs }: PublicRoutesDeps,
  link: FileLink,
  query: z.output<typeof linkQuery>,
): Promise<Response> | Response {
  const rendition = RENDITIONS.find(({ kind }) => query[kind] === '1');
  return whenReady(access.open(link, secretsOf(c, query)), ({ file, secretUsed }) => {
    const options = { secretUsed, anonymous: true };
    const beforeBytes = () =>
      downloads.take(file, { address: c.env.address, userAgent: c.req.header('User-Agent') ?? '' });
    if (!rendition)
      return sendBytes(c.req.raw, blobs, file, { ...options, inline: query.inline === '1', beforeBytes });
    const counted = isCounted(rendition.kind, file) ? { ...options, beforeBytes } : options;
    return sendRendition(c.req.raw, blobs, { file, rendition }, counted);
  });
}

/** The cookie in which the page of a file keeps its pass. */
export const PASS_COOKIE = 'posthouse-pass';

/** Returns the secrets of a request. Header fields take precedence over the query, whose values end up in logs. */
export function secretsOf(c: Ctx, query: z.output<typeof secretParams>): PresentedSecrets {
  return {
    // Read on demand: most files require no secret.
    get address() {
      return c.env.address;
    },
    accessKey: c.req.header('X-Access-Key') ?? query.accessKey ?? null,
    filePassword: c.req.header('X-File-Password') ?? query.filePassword ?? null,
    pass: getCookie(c, PASS_COOKIE) ?? null,
  };
}

/** CORS (https://fetch.spec.whatwg.org/#http-cors-protocol) for every origin, without credentials. */
export function answerPreflights(app: App, path: string): void {
  app.options(path, (c) =>
    c.body(null, 204, {
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Methods': 'GET, HEAD',
      'Access-Control-Allow-Headers': 'Range, If-Range, X-Access-Key, X-File-Password',
      'Access-Control-Max-Age': '86400',
    }),
  );
}
