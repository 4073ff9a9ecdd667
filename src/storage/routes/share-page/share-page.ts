import type { z } from '@hono/zod-openapi';
import type { GiveWay } from '../../../kernel/event-loop/time-slices.ts';
import { anyone } from '../../../kernel/http/auth.ts';
import { urlEncoded } from '../../../kernel/http/bodies/form-body.ts';
import type { App, Ctx } from '../../../kernel/http/context.ts';
import { htmlPage } from '../../../kernel/http/describe.ts';
import { endpoint } from '../../../kernel/http/endpoint.ts';
import { languageOf } from '../../../kernel/http/language.ts';
import { opaque } from '../../../kernel/http/params.ts';
import type { Language } from '../../../kernel/language.ts';
import type { BlobReader } from '../../blobs/small.ts';
import type { Access, FileReference } from '../../delivery/access.ts';
import type { PresentedSecrets } from '../../delivery/gate.ts';
import type { StoredFile } from '../../tree/files/file.ts';
import { ACCESS_PROBLEMS } from '../public.ts';
import { secretParams, secretsOf } from '../secrets.ts';
import { addPass, asPage } from './as-page.ts';
import { type FormResponse, lockedPage } from './locked-page.ts';
import { readPreview } from './preview.ts';
import { filePage } from './view.ts';

interface SharePageDeps {
  access: Access;
  blobs: BlobReader;
  /** Public URL of this server, without a slash at the end. */
  publicUrl: string;
  giveWay: GiveWay;
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
  const { access, publicUrl, giveWay } = deps;
  const secure = publicUrl.startsWith('https:');
  const atPage = (c: Ctx, token: string, work: (link: FileReference) => Promise<Response>) => {
    const link: FileReference = { by: 'uiToken', value: token };
    return asPage(
      c,
      () => work(link),
      (form) => unlockForm(access, link, { ...form, language: languageOf(c) }),
    );
  };

  endpoint(app, {
    ...shared,
    method: 'get',
    operation: 'getFilePage',
    summary: 'Get the page of a shared file by its UI token',
    query: secretParams,
    giveWay,
    responses: {
      200: htmlPage(
        'The page. While the file is locked: a form for its secrets, without any information about the file.',
      ),
    },
    handler: ({ c, params: { token }, query }) =>
      atPage(c, token, async (link) => {
        const secrets = secretsOf(c, query);
        const { file, secretUsed } = await access.open(link, secrets);
        const page = await renderFile(deps, file, { secretUsed, language: languageOf(c) });
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
    responses: {
      303: { description: 'Redirect to the page, with a short-lived cookie that opens this file only.' },
    },
    handler: ({ c, params: { token }, body }) =>
      atPage(c, token, async (link) => {
        const { file, secretUsed } = await access.open(link, formSecrets(c, body));
        const response = new Response(null, {
          status: 303,
          headers: { Location: `/public/file/${file.uiToken}`, 'Cache-Control': 'no-store' },
        });
        if (secretUsed) setPass(response, access, file, secure);
        return response;
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
function setPass(response: Response, access: Access, file: StoredFile, secure: boolean): void {
  for (const path of [`/public/file/${file.uiToken}`, `/public/media/${file.uiToken}`])
    addPass(response, { pass: access.passFor(file), path, secure });
}

async function renderFile(
  { blobs, publicUrl, giveWay }: SharePageDeps,
  file: StoredFile,
  { secretUsed, language }: { secretUsed: boolean; language: Language },
): Promise<Response> {
  const mediaPath = `/public/media/${file.uiToken}`;
  const openGraph = {
    pageUrl: `${publicUrl}/public/file/${file.uiToken}`,
    thumbnailUrl: file.thumbnail.key === null ? null : `${publicUrl}${mediaPath}?thumbnail=1`,
  };
  const preview = await readPreview(blobs, file, giveWay);
  await giveWay();
  return await filePage({
    language,
    name: file.originalName,
    sizeBytes: file.sizeBytes,
    mimeType: file.mimeType,
    dateModified: file.dateModified,
    expiresAt: file.expiresAt,
    sharedBy: file.sharedBy,
    preview,
    isDamaged: file.mimeType.startsWith('image/') && file.thumbnail.state === 'failed',
    mediaPath,
    openGraph: secretUsed ? null : openGraph,
  });
}

async function unlockForm(
  access: Access,
  link: FileReference,
  form: FormResponse & { language: Language },
): Promise<Response> {
  const file = await access.find(link);
  return await lockedPage({
    what: 'file',
    needsAccessKey: file.accessKey !== null,
    needsPassword: file.passwordHash !== null,
    ...form,
  });
}
