import { anyone } from '../../../kernel/http/auth.ts';
import type { App } from '../../../kernel/http/context.ts';
import { endpoint } from '../../../kernel/http/endpoint.ts';
import { guid, opaque } from '../../../kernel/http/params.ts';
import { ANY_ORIGIN, answerPreflights } from '../any-origin.ts';
import {
  BYTES_PROBLEMS,
  bytesResponses,
  DOWNLOAD_RESPONSES,
  inlineParam,
  rangeHeaders,
  sendBytes,
} from '../bytes.ts';
import { downloaderOf } from '../downloader.ts';
import { linkSecretParams, secretsOf } from '../secrets.ts';
import { isCounted, RENDITIONS, sendRendition } from '../send-rendition.ts';
import { orDeadLink } from '../share-page/dead-link.ts';
import type { LinkRoutesDeps } from './deps.ts';
import { LINK_PROBLEMS } from './public.ts';

const path = '/public/folder/{token}';
const shared = {
  method: 'get',
  tags: ['sharing'],
  auth: anyone,
  params: { token: opaque, id: guid },
  headers: rangeHeaders,
  everyResponse: ANY_ORIGIN,
} as const;

/** The bytes of the files that a link opens, and of their renditions. */
export function mountLinkBytes(app: App, deps: LinkRoutesDeps): void {
  for (const place of ['file/:id', 'thumbnail/:id', 'preview/:id'])
    answerPreflights(app, `/public/folder/:token/${place}`);
  mountFile(app, deps);
  mountRenditions(app, deps);
}

function mountFile(app: App, { linkAccess, content, blobs, downloads }: LinkRoutesDeps): void {
  endpoint(app, {
    ...shared,
    path: `${path}/file/{id}`,
    operation: 'downloadFileByLink',
    summary: 'Download a file of a shared folder',
    query: linkSecretParams.extend({ inline: inlineParam }),
    responses: DOWNLOAD_RESPONSES,
    problems: [...LINK_PROBLEMS, ...BYTES_PROBLEMS, 'download_limit_reached'],
    handler: ({ c, params: { token, id }, query: { inline, ...secrets } }) =>
      orDeadLink(c, async () => {
        const { link, secretUsed } = await linkAccess.open(token, secretsOf(c, secrets));
        return await sendBytes(c.req.raw, blobs, await content.file(link, id), {
          secretUsed,
          anonymous: true,
          inline: inline === '1',
          beforeBytes: () => downloads.take(link, downloaderOf(c)),
        });
      }),
  });
}

function mountRenditions(app: App, { linkAccess, content, blobs, downloads }: LinkRoutesDeps): void {
  for (const rendition of RENDITIONS) {
    const { kind, name, problem } = rendition;
    const counted = kind === 'preview' ? (['download_limit_reached'] as const) : [];
    endpoint(app, {
      ...shared,
      path: `${path}/${kind}/{id}`,
      operation: `get${name}ByLink`,
      summary: `Get the ${kind} of a picture of a shared folder`,
      query: linkSecretParams,
      responses: bytesResponses('image/webp'),
      problems: [...LINK_PROBLEMS, ...BYTES_PROBLEMS, problem, ...counted],
      async handler({ c, params: { token, id }, query: secrets }) {
        const { link, secretUsed } = await linkAccess.open(token, secretsOf(c, secrets));
        const file = await content.file(link, id);
        return await sendRendition(
          c.req.raw,
          blobs,
          { file, rendition },
          {
            secretUsed,
            anonymous: true,
            ...(isCounted(kind, link) && { beforeBytes: () => downloads.take(link, downloaderOf(c)) }),
          },
        );
      },
    });
  }
}
