import { z } from '@hono/zod-openapi';
import { whenReady } from '../../kernel/event-loop/when-ready.ts';
import { anyone } from '../../kernel/http/auth.ts';
import type { App, Ctx } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { guid, opaque } from '../../kernel/http/params.ts';
import type { BlobReader } from '../blobs/small.ts';
import type { Access, FileReference } from '../delivery/access.ts';
import type { Downloads } from '../delivery/downloads.ts';
import { GATE_PROBLEMS } from '../delivery/gate.ts';
import { ANY_ORIGIN, answerPreflights } from './any-origin.ts';
import { BYTES_PROBLEMS, DOWNLOAD_RESPONSES, inlineParam, rangeHeaders, sendBytes } from './bytes.ts';
import { downloaderOf } from './downloader.ts';
import { secretParams, secretsOf } from './secrets.ts';
import { isCounted, RENDITIONS, sendRendition } from './send-rendition.ts';
import { orDeadLink } from './share-page/dead-link.ts';

interface PublicRoutesDeps {
  access: Access;
  downloads: Downloads;
  blobs: BlobReader;
}

const displayParams = z.object({
  inline: inlineParam,
  thumbnail: z
    .literal('1')
    .optional()
    .openapi({ description: 'Send the thumbnail instead of the file; does not count as a download' }),
  preview: z.literal('1').optional().openapi({
    description: 'Send the preview instead of the file; counts as a download only if downloads are limited',
  }),
});
const linkQuery = secretParams.extend(displayParams.shape);
const keyQuery = displayParams.extend({
  key: secretParams.shape.accessKey,
  filePassword: secretParams.shape.filePassword,
});

/** Codes of `Access.open`. */
export const ACCESS_PROBLEMS = [...GATE_PROBLEMS, 'link_expired'] as const;

const NO_RENDITION = RENDITIONS.map(({ problem }) => problem);

const shared = {
  method: 'get',
  tags: ['sharing'],
  auth: anyone,
  headers: rangeHeaders,
  responses: DOWNLOAD_RESPONSES,
  problems: ['not_found', ...ACCESS_PROBLEMS, ...BYTES_PROBLEMS, ...NO_RENDITION, 'download_limit_reached'],
  everyResponse: ANY_ORIGIN,
} as const;

const PATHS = ['/api/storage/public/media/:token', '/api/storage/public/private/:id', '/public/media/:token'];

/** The bytes of shared files, for anyone who has the link and its secrets. */
export function mountPublic(app: App, deps: PublicRoutesDeps): void {
  const send = (c: Ctx, link: FileReference, query: z.output<typeof linkQuery>) =>
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
  link: FileReference,
  query: z.output<typeof linkQuery>,
): Promise<Response> | Response {
  const rendition = RENDITIONS.find(({ kind }) => query[kind] === '1');
  return whenReady(access.open(link, secretsOf(c, query)), ({ file, secretUsed }) => {
    const options = { secretUsed, anonymous: true };
    const beforeBytes = () => downloads.take(file, downloaderOf(c));
    if (!rendition)
      return sendBytes(c.req.raw, blobs, file, { ...options, inline: query.inline === '1', beforeBytes });
    const counted = isCounted(rendition.kind, file) ? { ...options, beforeBytes } : options;
    return sendRendition(c.req.raw, blobs, { file, rendition }, counted);
  });
}
