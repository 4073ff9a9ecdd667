import type { z } from '@hono/zod-openapi';
import type { Clock } from '../../../kernel/clock.ts';
import { anyone } from '../../../kernel/http/auth.ts';
import type { App, Ctx } from '../../../kernel/http/context.ts';
import { endpoint } from '../../../kernel/http/endpoint.ts';
import { languageOf } from '../../../kernel/http/language.ts';
import { guid, opaque } from '../../../kernel/http/params.ts';
import { recheckDownload } from '../../../kernel/http/recheck.ts';
import { limitKey } from '../../../kernel/ip.ts';
import { createRateLimit } from '../../../kernel/limits/rates.ts';
import { notFound, tooMany } from '../../../kernel/problem.ts';
import type { BlobReader } from '../../blobs/small.ts';
import type { Downloads } from '../../delivery/downloads.ts';
import type { LiveLink } from '../../links/gate.ts';
import {
  BYTES_PROBLEMS,
  bytesAnswers,
  DOWNLOAD_ANSWERS,
  inlineParam,
  rangeHeaders,
  sendBytes,
} from '../bytes.ts';
import { sendZip, ZIP_ANSWERS, ZIP_PROBLEMS } from '../export.ts';
import { ANY_ORIGIN, answerPreflights, secretParams, secretsOf } from '../public.ts';
import { isCounted, RENDITIONS, sendRendition } from '../renditions.ts';
import { orDeadLink } from '../share-page/dead-link.ts';
import { LINK_PROBLEMS, type PublicLinkDeps, titleOf } from './public.ts';

interface LinkBytesDeps extends PublicLinkDeps {
  downloads: Downloads;
  blobs: BlobReader;
  clock: Clock;
  /** Number of processes of this server. */
  processes: number;
}

/** Requests of an address for ZIP files, each of which may have to be laid out. */
const ZIPS_PER_MINUTE = 60;

const path = '/public/folder/{token}';
const query = secretParams.pick({ filePassword: true });
const ofFile = { token: opaque, id: guid };

/** The bytes that a link opens: files, renditions, and ZIP files of folders. */
export function mountLinkBytes(app: App, deps: LinkBytesDeps): void {
  const { linkGate, content, downloads, blobs } = deps;
  const shared = {
    method: 'get',
    tags: ['sharing'],
    auth: anyone,
    headers: rangeHeaders,
    everyAnswer: ANY_ORIGIN,
  } as const;
  for (const place of ['file/:id', 'thumbnail/:id', 'preview/:id', 'export', 'export/:id'])
    answerPreflights(app, `/public/folder/:token/${place}`);

  const open = (c: Ctx, token: string, secrets: z.output<typeof query>) =>
    linkGate.open(token, secretsOf(c, secrets));
  /** Counts the visitor, once in an hour for all that the link opens. */
  const counting = (c: Ctx, link: LiveLink) => () =>
    downloads.take(link, { address: c.env.address, userAgent: c.req.header('User-Agent') ?? '' });

  endpoint(app, {
    ...shared,
    path: `${path}/file/{id}`,
    operation: 'downloadFileByLink',
    summary: 'Download a file of a shared folder',
    params: ofFile,
    query: query.extend({ inline: inlineParam }),
    answers: DOWNLOAD_ANSWERS,
    problems: [...LINK_PROBLEMS, ...BYTES_PROBLEMS, 'download_limit_reached'],
    handler: ({ c, params: { token, id }, query: { inline, ...secrets } }) =>
      orDeadLink(c, async () => {
        const { link, secretUsed } = await open(c, token, secrets);
        return await sendBytes(c.req.raw, blobs, await content.file(link, id), {
          secretUsed,
          anonymous: true,
          inline: inline === '1',
          beforeBytes: counting(c, link),
        });
      }),
  });

  for (const rendition of RENDITIONS) {
    const { kind, name, problem } = rendition;
    const counted = kind === 'preview' ? (['download_limit_reached'] as const) : [];
    endpoint(app, {
      ...shared,
      path: `${path}/${kind}/{id}`,
      operation: `get${name}ByLink`,
      summary: `Get the ${kind} of a picture of a shared folder`,
      params: ofFile,
      query,
      answers: bytesAnswers('image/webp'),
      problems: [...LINK_PROBLEMS, ...BYTES_PROBLEMS, problem, ...counted],
      async handler({ c, params: { token, id }, query: secrets }) {
        const { link, secretUsed } = await open(c, token, secrets);
        const file = await content.file(link, id);
        return await sendRendition(
          c.req.raw,
          blobs,
          { file, rendition },
          {
            secretUsed,
            anonymous: true,
            ...(isCounted(kind, link) && { beforeBytes: counting(c, link) }),
          },
        );
      },
    });
  }

  const zips = createRateLimit({
    burst: ZIPS_PER_MINUTE,
    perMinute: ZIPS_PER_MINUTE,
    clock: deps.clock,
    processes: deps.processes,
  });
  const exporting = {
    ...shared,
    query,
    answers: ZIP_ANSWERS,
    problems: [...LINK_PROBLEMS, ...ZIP_PROBLEMS, 'download_limit_reached', 'rate_limited'],
  } as const;
  const send = async (c: Ctx, token: string, folderId: string | null, secrets: z.output<typeof query>) => {
    const wait = zips.take(limitKey(c.env.address));
    if (wait > 0) throw tooMany('rate_limited', 'Too many requests from this address.', wait);
    const { link, secretUsed } = await open(c, token, secrets);
    const place = await content.place(link, folderId);
    return await sendZip(c.req.raw, () => content.export(link, place), {
      name: folderId === null ? titleOf(link, languageOf(c)) : (place.folder?.name ?? ''),
      secretUsed,
      beforeBytes: counting(c, link),
      recheck: recheckDownload(async () => {
        const { access, passwordHash } = await linkGate.find(token);
        if (access === 'upload' || passwordHash !== link.passwordHash) throw notFound();
      }),
    });
  };

  endpoint(app, {
    ...exporting,
    path: `${path}/export`,
    operation: 'exportByLink',
    summary: 'Export a shared folder, or chosen files, as a ZIP file',
    params: { token: opaque },
    handler: ({ c, params: { token }, query: secrets }) => orDeadLink(c, () => send(c, token, null, secrets)),
  });

  endpoint(app, {
    ...exporting,
    path: `${path}/export/{id}`,
    operation: 'exportFolderByLink',
    summary: 'Export a folder below a shared one as a ZIP file',
    params: ofFile,
    handler: ({ c, params: { token, id }, query: secrets }) =>
      orDeadLink(c, () => send(c, token, id, secrets)),
  });
}
