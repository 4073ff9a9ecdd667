import type { z } from '@hono/zod-openapi';
import { anyone } from '../../../kernel/http/auth.ts';
import type { App, Ctx } from '../../../kernel/http/context.ts';
import { endpoint } from '../../../kernel/http/endpoint.ts';
import { languageOf } from '../../../kernel/http/language.ts';
import { guid, opaque } from '../../../kernel/http/params.ts';
import { createAddressLimit } from '../../../kernel/limits/address-limit.ts';
import { notFound } from '../../../kernel/problem.ts';
import { ANY_ORIGIN, answerPreflights } from '../any-origin.ts';
import { rangeHeaders } from '../bytes.ts';
import { downloaderOf } from '../downloader.ts';
import { recheckDownload } from '../recheck.ts';
import { linkSecretParams, secretsOf } from '../secrets.ts';
import { orDeadLink } from '../share-page/dead-link.ts';
import { sendZip, ZIP_PROBLEMS, ZIP_RESPONSES } from '../zip.ts';
import type { LinkRoutesDeps } from './deps.ts';
import { LINK_PROBLEMS, titleOf } from './public.ts';

/** Maximum number of requests for ZIP files from one address; each may have to be laid out. */
const REQUESTS = { burst: 60, perMinute: 60 };

const shared = {
  method: 'get',
  tags: ['sharing'],
  auth: anyone,
  query: linkSecretParams,
  headers: rangeHeaders,
  responses: ZIP_RESPONSES,
  problems: [...LINK_PROBLEMS, ...ZIP_PROBLEMS, 'download_limit_reached', 'rate_limited'],
  everyResponse: ANY_ORIGIN,
} as const;

/** ZIP files of the folders, or of the chosen files, that a link opens. */
export function mountLinkExport(app: App, deps: LinkRoutesDeps): void {
  const { linkAccess, content, downloads, clock, processes } = deps;
  for (const place of ['export', 'export/:id']) answerPreflights(app, `/public/folder/:token/${place}`);
  const limit = createAddressLimit({ ...REQUESTS, clock, processes });

  const send = async (
    c: Ctx,
    token: string,
    folderId: string | null,
    secrets: z.output<typeof linkSecretParams>,
  ) => {
    limit(c.env.address);
    const { link, secretUsed } = await linkAccess.open(token, secretsOf(c, secrets));
    const place = await content.place(link, folderId);
    return await sendZip(c.req.raw, () => content.export(link, place), {
      name: folderId === null ? titleOf(link, languageOf(c)) : (place.folder?.name ?? ''),
      secretUsed,
      beforeBytes: () => downloads.take(link, downloaderOf(c)),
      recheck: recheckDownload(async () => {
        const { access, passwordHash } = await linkAccess.find(token);
        if (access === 'upload' || passwordHash !== link.passwordHash) throw notFound();
      }),
    });
  };

  endpoint(app, {
    ...shared,
    path: '/public/folder/{token}/export',
    operation: 'exportByLink',
    summary: 'Export a shared folder, or chosen files, as a ZIP file',
    params: { token: opaque },
    handler: ({ c, params: { token }, query: secrets }) => orDeadLink(c, () => send(c, token, null, secrets)),
  });

  endpoint(app, {
    ...shared,
    path: '/public/folder/{token}/export/{id}',
    operation: 'exportFolderByLink',
    summary: 'Export a folder below a shared one as a ZIP file',
    params: { token: opaque, id: guid },
    handler: ({ c, params: { token, id }, query: secrets }) =>
      orDeadLink(c, () => send(c, token, id, secrets)),
  });
}
