import { z } from '@hono/zod-openapi';
import { readBytes, requireMediaType } from '../../kernel/http/body.ts';
import type { App, Ctx } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { Problem } from '../../kernel/http/problem.ts';
import { type Access, PASS_MS, type Way } from '../access.ts';
import type { BlobReader } from '../blobs/small.ts';
import type { StoredFile } from '../file.ts';
import { previewKind, readableText, TEXT_SHOWN } from '../share-page/preview.ts';
import { filePage, lockedPage, type Preview, refusalPage } from '../share-page/view.ts';
import { PASS_COOKIE, shownBy } from './public.ts';

interface SharePageParts {
  access: Access;
  blobs: BlobReader;
  /** Where people reach this server, without a slash at the end. */
  publicUrl: string;
}

const FORM_LIMIT = 16_384;
const FORM_TYPE = 'application/x-www-form-urlencoded';
const secrets = z.object({ accessKey: z.string().optional(), filePassword: z.string().optional() });
const html = { schema: z.string(), mediaType: 'text/html' };
const tags = ['sharing'];

/** `/public/file/{token}`: the page of a file, and the form that unlocks it. */
export function mountSharePage(app: App, { access, blobs, publicUrl }: SharePageParts): void {
  const secure = publicUrl.startsWith('https:');

  endpoint(
    app,
    'get',
    '/public/file/{token}',
    {
      summary: 'The page of a file, by its UI token',
      tags,
      query: secrets,
      answers: {
        200: { description: 'The page; while the file is locked, the form that asks for its secrets and no fact of it.', ...html },
      },
      problems: ['access_key_wrong', 'file_password_wrong', 'not_found', 'link_expired', 'too_many_attempts'],
    },
    (c) =>
      asPages(c, async (way) => {
        const shown = shownBy(c);
        const { file, secretUsed } = await access.open(way, shown);
        const page = await showFile(file, secretUsed);
        // The page loads its preview without the secrets of its own address.
        if (secretUsed && (shown.accessKey || shown.filePassword)) givePass(page, file);
        return page;
      }),
  );

  endpoint(
    app,
    'post',
    '/public/file/{token}',
    {
      summary: 'Unlock the page of a file',
      tags,
      body: { [FORM_TYPE]: secrets },
      answers: { 303: { description: 'Back to the page, with a cookie that opens this file alone for a while.' } },
      problems: [
        'access_key_required',
        'access_key_wrong',
        'file_password_required',
        'file_password_wrong',
        'not_found',
        'link_expired',
        'body_too_large',
        'unsupported_media_type',
        'too_many_attempts',
      ],
    },
    async (c) => {
      requireMediaType(c, [FORM_TYPE]);
      const form = new URLSearchParams(new TextDecoder().decode(await readBytes(c, FORM_LIMIT)));
      return await asPages(c, async (way) => {
        const given = { accessKey: form.get('accessKey'), filePassword: form.get('filePassword') };
        const { file, secretUsed } = await access.open(way, { address: c.get('address'), ...given, pass: null });
        const answer = new Response(null, {
          status: 303,
          headers: { Location: `/public/file/${file.uiToken}`, 'Cache-Control': 'no-store' },
        });
        if (secretUsed) givePass(answer, file);
        return answer;
      });
    },
  );

  function givePass(answer: Response, file: StoredFile): void {
    const pass = access.passFor(file);
    const attributes = `HttpOnly; SameSite=Lax; Max-Age=${PASS_MS / 1000}${secure ? '; Secure' : ''}`;
    // To the two places where it is asked for, and nowhere else.
    for (const path of [`/public/file/${file.uiToken}`, `/public/media/${file.uiToken}`]) {
      answer.headers.append('Set-Cookie', `${PASS_COOKIE}=${pass}; Path=${path}; ${attributes}`);
    }
  }

  async function showFile(file: StoredFile, secretUsed: boolean): Promise<Response> {
    const mediaPath = `/public/media/${file.uiToken}`;
    return await filePage({
      name: file.originalName,
      sizeBytes: file.sizeBytes,
      mimeType: file.mimeType,
      dateModified: file.dateModified,
      preview: await previewOf(file),
      mediaPath,
      openGraph: secretUsed
        ? null
        : {
            pageUrl: `${publicUrl}/public/file/${file.uiToken}`,
            thumbnailUrl: file.thumbnailKey === null ? null : `${publicUrl}${mediaPath}?thumbnail=1`,
          },
    });
  }

  async function previewOf(file: StoredFile): Promise<Preview | null> {
    const { mimeType, sizeBytes, thumbnailKey, maxDownloads } = file;
    const kind = previewKind({ mimeType, sizeBytes, hasThumbnail: thumbnailKey !== null, isCounted: maxDownloads !== null });
    if (kind !== 'text') return kind && { kind };
    const end = Math.min(sizeBytes, TEXT_SHOWN);
    const head = await new Response(await blobs.read(file.blobKey, sizeBytes, { start: 0, end })).bytes();
    const text = readableText(head, end === sizeBytes);
    return text === null ? null : { kind, text, isWhole: end === sizeBytes };
  }

  /** Answers with what `work` gives; what it refuses becomes a page too, for those who can look at one. */
  async function asPages(c: Ctx, work: (way: Way) => Promise<Response>): Promise<Response> {
    const way: Way = { by: 'uiToken', value: c.req.param('token') ?? '' };
    try {
      return await work(way);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const isFirst = c.req.method !== 'POST' && (error.code === 'access_key_required' || error.code === 'file_password_required');
      if (isFirst) return await locked(way, null, 200, {});
      if (!c.req.header('Accept')?.includes('text/html')) throw error;
      if (error.status === 403 || error.status === 429) return await locked(way, error.detail, error.status, error.headers);
      return await refusalPage(
        error.status === 404 ? 'There is no such file' : 'This link has ended',
        error.detail,
        error.status,
        error.headers,
      );
    }
  }

  async function locked(way: Way, complaint: string | null, status: number, headers: Readonly<Record<string, string>>): Promise<Response> {
    const { asked } = await access.asked(way);
    return await lockedPage({ asksAccessKey: asked.key, asksPassword: asked.password, complaint, status, headers });
  }
}
