import { z } from '@hono/zod-openapi';
import { anyone } from '../../../kernel/http/auth.ts';
import type { App, Ctx } from '../../../kernel/http/context.ts';
import { endpoint } from '../../../kernel/http/endpoint.ts';
import { opaque } from '../../../kernel/http/params.ts';
import { urlEncoded } from '../../../kernel/http/request-body.ts';
import { Problem } from '../../../kernel/problem.ts';
import type { BlobReader } from '../../blobs/small.ts';
import type { Access, FileLink } from '../../delivery/access.ts';
import type { PresentedSecrets } from '../../delivery/gate.ts';
import { PASS_MS } from '../../delivery/passes.ts';
import type { StoredFile } from '../../tree/file.ts';
import { ACCESS_PROBLEMS, PASS_COOKIE, secretParams, secretsOf } from '../public.ts';
import { readPreview } from './preview.ts';
import { filePage, lockedPage, refusalPage } from './view.ts';

interface SharePageDeps {
  access: Access;
  blobs: BlobReader;
  /** Public URL of this server, without a slash at the end. */
  publicUrl: string;
}

const shared = {
  path: '/public/file/{token}',
  tags: ['sharing'],
  auth: anyone,
  params: { token: opaque },
  problems: ['not_found', ...ACCESS_PROBLEMS],
} as const;

/** `/public/file/{token}`: the page of a file, and the form that unlocks the page. */
export function mountSharePage(app: App, deps: SharePageDeps): void {
  const { access, publicUrl } = deps;
  const secure = publicUrl.startsWith('https:');

  endpoint(app, {
    ...shared,
    method: 'get',
    operation: 'getFilePage',
    summary: 'Get the page of a shared file by its UI token',
    query: secretParams,
    answers: {
      200: {
        description:
          'The page. While the file is locked: a form for its secrets, without any fact of the file.',
        schema: z.string(),
        mediaType: 'text/html',
      },
    },
    handler: ({ c, params: { token }, query }) =>
      asPage(c, access, token, async (link) => {
        const secrets = secretsOf(c, query);
        const { file, secretUsed } = await access.open(link, secrets);
        const page = await renderFile(deps, file, secretUsed);
        // The page loads its preview without the secrets in its address.
        if (secretUsed && (secrets.accessKey || secrets.filePassword)) setPass(page, access, file, secure);
        return page;
      }),
  });

  endpoint(app, {
    ...shared,
    method: 'post',
    operation: 'unlockFilePage',
    summary: 'Unlock the page of a shared file',
    body: urlEncoded(secretParams),
    answers: { 303: { description: 'To the page, with a short-lived cookie that opens this file only.' } },
    handler: ({ c, params: { token }, body }) =>
      asPage(c, access, token, async (link) => {
        const { file, secretUsed } = await access.open(link, formSecrets(c, body));
        const answer = new Response(null, {
          status: 303,
          headers: { Location: `/public/file/${file.uiToken}`, 'Cache-Control': 'no-store' },
        });
        if (secretUsed) setPass(answer, access, file, secure);
        return answer;
      }),
  });
}

function formSecrets(c: Ctx, { accessKey, filePassword }: z.output<typeof secretParams>): PresentedSecrets {
  return {
    address: c.env.address,
    accessKey: accessKey ?? null,
    filePassword: filePassword ?? null,
    pass: null,
  };
}

/** Sets the cookie for the two paths that read it, and for no other. */
function setPass(answer: Response, access: Access, file: StoredFile, secure: boolean): void {
  const attributes = `HttpOnly; SameSite=Lax; Max-Age=${PASS_MS / 1000}${secure ? '; Secure' : ''}`;
  for (const path of [`/public/file/${file.uiToken}`, `/public/media/${file.uiToken}`]) {
    const cookie = `${PASS_COOKIE}=${access.passFor(file)}; Path=${path}; ${attributes}`;
    answer.headers.append('Set-Cookie', cookie);
  }
}

async function renderFile(
  { blobs, publicUrl }: SharePageDeps,
  file: StoredFile,
  secretUsed: boolean,
): Promise<Response> {
  const mediaPath = `/public/media/${file.uiToken}`;
  const openGraph = {
    pageUrl: `${publicUrl}/public/file/${file.uiToken}`,
    thumbnailUrl: file.thumbnailKey === null ? null : `${publicUrl}${mediaPath}?thumbnail=1`,
  };
  return await filePage({
    name: file.originalName,
    sizeBytes: file.sizeBytes,
    mimeType: file.mimeType,
    dateModified: file.dateModified,
    expiresAt: file.expiresAt,
    sharedBy: file.sharedBy,
    preview: await readPreview(blobs, file),
    mediaPath,
    openGraph: secretUsed ? null : openGraph,
  });
}

/** Renders the problems of `work` as pages, for clients that accept HTML. */
async function asPage(
  c: Ctx,
  access: Access,
  token: string,
  work: (link: FileLink) => Promise<Response>,
): Promise<Response> {
  const link: FileLink = { by: 'uiToken', value: token };
  try {
    return await work(link);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const isMissing = error.code === 'access_key_required' || error.code === 'file_password_required';
    if (isMissing && c.req.method !== 'POST') return await unlockForm(access, link, { status: 200 });
    if (!c.req.header('Accept')?.includes('text/html')) throw error;
    const { status, headers } = c.env.problems.head(error);
    if (status === 403 || status === 429)
      return await unlockForm(access, link, { complaint: error.detail, status, headers });
    const reason = status === 404 ? 'It was withdrawn, or the address is incomplete.' : error.detail;
    return await refusalPage(reason, status, headers);
  }
}

async function unlockForm(
  access: Access,
  link: FileLink,
  answer: { complaint?: string; status: number; headers?: Readonly<Record<string, string>> },
): Promise<Response> {
  const file = await access.find(link);
  return await lockedPage({
    needsAccessKey: file.accessKey !== null,
    needsPassword: file.passwordHash !== null,
    complaint: answer.complaint ?? null,
    status: answer.status,
    headers: answer.headers ?? {},
  });
}
