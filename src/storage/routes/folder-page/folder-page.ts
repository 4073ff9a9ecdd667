import { z } from '@hono/zod-openapi';
import { anyone } from '../../../kernel/http/auth.ts';
import { urlEncoded } from '../../../kernel/http/bodies/form-body.ts';
import type { App, Ctx } from '../../../kernel/http/context.ts';
import { htmlPage } from '../../../kernel/http/describe.ts';
import { endpoint } from '../../../kernel/http/endpoint.ts';
import { languageOf } from '../../../kernel/http/language.ts';
import { guid, opaque } from '../../../kernel/http/params.ts';
import type { Language } from '../../../kernel/language.ts';
import { isLong } from '../../../picture/is-long.ts';
import type { LiveLink } from '../../links/access.ts';
import type { LinkContent, VisitedFolder } from '../../links/content.ts';
import { isLinkFull } from '../../links/upload-limits.ts';
import type { StoredFile } from '../../tree/files/file.ts';
import type { LinkRoutesDeps } from '../links/deps.ts';
import { createLinkPass } from '../links/link-pass.ts';
import { LINK_PROBLEMS, titleOf } from '../links/public.ts';
import { linkSecretParams, secretsOf } from '../secrets.ts';
import { asPage } from '../share-page/as-page.ts';
import { type FormResponse, lockedPage } from '../share-page/locked-page.ts';
import { previewKind } from '../share-page/preview.ts';
import { type FolderPage, folderPage, type PageItem, uploadOnlyPage } from './view.ts';

const FILES_SHOWN = 500;
const FOLDERS_SHOWN = 500;

const pageQuery = linkSecretParams.extend({
  cursor: z.string().max(2000).optional().openapi({ description: 'From the address of the next page' }),
  // A name. The time to normalize a longer text (NFC) would grow with the square of the number of its
  // accents.
  foldersAfter: z.string().max(255).optional().openapi({ description: 'From the address of the next page' }),
});
const unlocking = z.object({
  password: z.string().optional(),
  filePassword: z.string().optional().openapi({ description: 'The same as `password`' }),
});
const path = '/public/folder/{token}';
const shared = { tags: ['sharing'], auth: anyone, problems: LINK_PROBLEMS } as const;
const showing = {
  ...shared,
  method: 'get',
  query: pageQuery,
  responses: {
    200: htmlPage('The page. While the link is locked: a form for its password, without title or names.'),
  },
} as const;
const unlock = {
  ...shared,
  method: 'post',
  body: urlEncoded(unlocking),
  responses: {
    303: { description: 'Redirect to the page, with a short-lived cookie that opens this link only.' },
  },
} as const;

/** `/public/folder/{token}`: the page of a link, and the form that unlocks the page. */
export function mountFolderPage(app: App, deps: LinkRoutesDeps): void {
  const { linkAccess, giveWay } = deps;
  const unlockForm = async (token: string, form: FormResponse & { language: Language }) => {
    await linkAccess.find(token);
    return await lockedPage({ what: 'link', needsAccessKey: false, needsPassword: true, ...form });
  };
  const atPage = (c: Ctx, token: string, work: () => Promise<Response>) =>
    asPage(c, work, (form) => unlockForm(token, { ...form, language: languageOf(c) }));
  const setPass = createLinkPass(deps);

  const show = (c: Ctx, token: string, id: string | null, query: z.output<typeof pageQuery>) =>
    atPage(c, token, async () => {
      const secrets = secretsOf(c, query);
      const { link, secretUsed } = await linkAccess.open(token, secrets);
      const page = await render(deps, link, { ...query, language: languageOf(c), folderId: id });
      // The page loads its pictures without the password in its address.
      if (secretUsed && secrets.filePassword) setPass(page, link);
      return page;
    });

  const open = (c: Ctx, token: string, id: string | null, body: z.output<typeof unlocking>) =>
    atPage(c, token, async () => {
      const filePassword = body.password ?? body.filePassword ?? null;
      const secrets = { address: c.env.address, accessKey: null, filePassword, pass: null };
      const { link, secretUsed } = await linkAccess.open(token, secrets);
      const response = new Response(null, {
        status: 303,
        headers: { Location: pathOf(link, id), 'Cache-Control': 'no-store' },
      });
      if (secretUsed) setPass(response, link);
      return response;
    });

  endpoint(app, {
    ...showing,
    path,
    operation: 'getFolderPage',
    summary: 'Get the page of a link to a folder or to chosen files',
    params: { token: opaque },
    giveWay,
    handler: ({ c, params: { token }, query }) => show(c, token, null, query),
  });

  endpoint(app, {
    ...showing,
    path: `${path}/{id}`,
    operation: 'getSubfolderPage',
    summary: 'Get the page of a folder below a shared one',
    params: { token: opaque, id: guid },
    giveWay,
    handler: ({ c, params: { token, id }, query }) => show(c, token, id, query),
  });

  endpoint(app, {
    ...unlock,
    path,
    operation: 'unlockFolderPage',
    summary: 'Unlock the page of a link',
    params: { token: opaque },
    handler: ({ c, params: { token }, body }) => open(c, token, null, body),
  });

  endpoint(app, {
    ...unlock,
    path: `${path}/{id}`,
    operation: 'unlockSubfolderPage',
    summary: 'Unlock the page of a link at a folder below',
    params: { token: opaque, id: guid },
    handler: ({ c, params: { token, id }, body }) => open(c, token, id, body),
  });
}

function pathOf({ token }: LiveLink, folderId: string | null = null): string {
  return `/public/folder/${token}${folderId === null ? '' : `/${folderId}`}`;
}

interface PageOfFolder {
  language: Language;
  /** Null = the shared folder, or the chosen files. */
  folderId: string | null;
  /** Where the page begins: at a file, or after a folder; undefined = the first page. */
  cursor?: string;
  foldersAfter?: string;
}

async function render(deps: LinkRoutesDeps, link: LiveLink, shown: PageOfFolder): Promise<Response> {
  const { content, publicUrl, giveWay } = deps;
  const { language, folderId } = shown;
  const { message, expiresAt } = link;
  const title = titleOf(link, language);
  const common = { language, base: pathOf(link), title, message, isFull: isLinkFull(link) };
  if (link.access === 'upload') return await uploadOnlyPage(common);
  const place = await content.place(link, folderId);
  const entries = await entriesOf(content, { link, place, ...shown });
  const hidden = await content.hidden(link, place);
  await giveWay();
  return await folderPage({
    ...common,
    takesFiles: link.access === 'both',
    expiresAt,
    path: place.path,
    ...entries,
    hidden,
    url: link.passwordHash === null ? publicUrl + pathOf(link) : null,
  });
}

/** Returns the folders and files of a page: first all folders, then the files. */
async function entriesOf(
  content: LinkContent,
  { link, place, folderId, cursor, foldersAfter }: PageOfFolder & { link: LiveLink; place: VisitedFolder },
): Promise<Pick<FolderPage, 'folders' | 'items' | 'next'>> {
  const next = (name: keyof PageOfFolder, value: string) =>
    `${pathOf(link, folderId)}?${name}=${encodeURIComponent(value)}`;
  const options = { limit: FOLDERS_SHOWN + 1, after: foldersAfter };
  const found = cursor === undefined ? await content.folders(place, options) : [];
  const folders = found.slice(0, FOLDERS_SHOWN);
  const last = folders.at(-1);
  if (last && found.length > FOLDERS_SHOWN)
    return { folders, items: [], next: next('foldersAfter', last.name) };
  const { files, nextCursor } = await content.files(link, place, { limit: FILES_SHOWN, cursor });
  const items = files.map((file) => itemOf(link, file));
  return { folders, items, next: nextCursor === null ? null : next('cursor', nextCursor) };
}

function itemOf({ maxDownloads }: LiveLink, file: StoredFile): PageItem {
  const { id, originalName: name, sizeBytes, mimeType, thumbnail, preview, facts } = file;
  const hasThumbnail = thumbnail.state === 'made' || thumbnail.state === 'pending';
  const hasPreview = preview.key !== null;
  const kind = previewKind({
    mimeType,
    sizeBytes,
    hasThumbnail,
    hasPreview,
    isCounted: maxDownloads !== null,
  });
  const isPicture = hasThumbnail && mimeType.startsWith('image/');
  const picture = isPicture ? (kind === 'image' || kind === 'preview' ? kind : 'thumbnail') : null;
  const { width, height } = facts;
  const size = width && height ? { width, height } : null;
  const tile = hasPreview && size && isLong(size.width, size.height) ? 'preview' : 'thumbnail';
  const isFailed = thumbnail.state === 'failed' && mimeType.startsWith('image/');
  return { id, name, sizeBytes, mimeType, picture, tile, isFailed, size };
}
