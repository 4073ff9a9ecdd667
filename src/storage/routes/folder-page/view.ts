import { BRAND, type Html, html, page } from '../../../kernel/http/page.ts';
import { readableSize } from '../../../kernel/readable-size.ts';
import type { NamedFolder } from '../../links/content.ts';
import { NOT_INDEXED } from '../share-page/dead-link.ts';
import { readableType } from '../share-page/formats.ts';
import { time } from '../share-page/view.ts';
import { browserScript } from './script.ts';
import { STYLE } from './style.ts';

/** A file as displayed on the page. */
export interface PageItem {
  id: string;
  name: string;
  sizeBytes: number;
  mimeType: string;
  /** What the viewer shows of a picture: itself or a rendition; null = no picture. */
  picture: 'image' | 'thumbnail' | 'preview' | null;
  /** Pixels of a picture, upright; null = not known. */
  size: { width: number; height: number } | null;
}

/** What a link opens, as displayed on its page. */
export interface FolderPage {
  /** Path of the page of the link, without a slash at the end. */
  base: string;
  title: string;
  message: string | null;
  /** Milliseconds since the Unix epoch; null = the link does not expire. */
  expiresAt: number | null;
  /** From the shared folder down to the one displayed; empty for chosen files. */
  path: readonly NamedFolder[];
  folders: readonly NamedFolder[];
  items: readonly PageItem[];
  /** Visitors may send files into the shared folder. */
  takesFiles: boolean;
  /** Number of files that are left out. */
  hidden: number;
  /** Address of the next page of files; null = the last one. */
  next: string | null;
  /** Absolute address for link previews; null = the link has a password. */
  url: string | null;
}

/** Sources that only this page adds to the policy: its pictures, and the requests of its script. */
const POLICY = { 'img-src': "'self'", 'connect-src': "'self'" };

const FOLDER_ICON = html`<svg width="24" height="24" viewBox="0 0 24 24" aria-hidden="true">
<path d="M3 6.5V18h18V8h-9.5l-2-2.5H3z" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linejoin="round"/></svg>`;

/** Renders the page of an opened link: folders, a gallery of the pictures, and a list of the other files. */
export function folderPage(shown: FolderPage): Promise<Response> {
  const { base, title, message, expiresAt, path, folders, items, hidden, next, takesFiles } = shown;
  const below = path.length > 1 ? path.at(-1) : undefined;
  const name = below?.name ?? title;
  const pictures = items.filter(({ picture }) => picture !== null);
  const others = items.filter(({ picture }) => picture === null);
  const sends = takesFiles && !below;
  const isEmpty = folders.length + items.length === 0;
  return page({
    title: name,
    width: 'wide',
    style: STYLE,
    scripts: [
      ...(pictures.length > 0 ? [browserScript('gallery')] : []),
      ...(sends ? [browserScript('send')] : []),
    ],
    policy: POLICY,
    headers: NOT_INDEXED,
    head: shown.url === null ? undefined : openGraph(shown, shown.url),
    body: html`
      ${BRAND}
      ${below ? trail(base, title, path) : ''}
      <h1>${name}</h1>
      ${message !== null && !below ? html`<p class="message">${message}</p>` : ''}
      <p class="row bar">
        ${isEmpty ? '' : html`<a class="button" href="${base}/export${below ? `/${below.id}` : ''}" download>Download all</a>`}
        ${expiresAt === null ? '' : html`<span class="muted">Available until ${time(expiresAt)}</span>`}
        ${hidden === 0 ? '' : html`<span class="muted">${hiddenText(hidden)}</span>`}
      </p>
      ${isEmpty ? html`<p class="notice">There are no files here.</p>` : ''}
      ${folders.length > 0 ? folderList(base, folders) : ''}
      ${pictures.length > 0 ? gallery(base, pictures) : ''}
      ${others.length > 0 ? fileList(base, others) : ''}
      ${next === null ? '' : html`<p><a class="button quiet" href="${next}" rel="next">More files</a></p>`}
      ${sends ? html`<h2>Send files</h2>${sendForm(base, 'both')}` : ''}
      `,
  });
}

function hiddenText(hidden: number): string {
  return hidden === 1 ? 'One protected file is not shown.' : `${hidden} protected files are not shown.`;
}

function trail(base: string, title: string, path: readonly NamedFolder[]): Html {
  const above = path.slice(0, -1);
  return html`<nav class="trail" aria-label="Folders above"><ol>${above.map(({ id, name }, index) =>
    index === 0
      ? html`<li><a href="${base}">${title}</a></li>`
      : html`<li><a href="${base}/${id}">${name}</a></li>`,
  )}</ol></nav>`;
}

function folderList(base: string, folders: readonly NamedFolder[]): Html {
  return html`<ul class="folders" aria-label="Folders">${folders.map(
    ({ id, name }) => html`<li><a href="${base}/${id}">${FOLDER_ICON}<span>${name}</span></a></li>`,
  )}</ul>`;
}

function gallery(base: string, pictures: readonly PageItem[]): Html {
  return html`<ul class="gallery" aria-label="Pictures">${pictures.map(({ id, name, picture, size }) => {
    const thumbnail = `${base}/thumbnail/${id}`;
    const file = `${base}/file/${id}`;
    const view = picture === 'image' ? `${file}?inline=1` : `${base}/${picture}/${id}`;
    return html`<li><a href="${view}" data-id="${id}" data-file="${file}"><img src="${thumbnail}" alt="${name}"
${size ? html`width="${size.width}" height="${size.height}"` : ''} loading="lazy" decoding="async"></a></li>`;
  })}</ul>`;
}

function fileList(base: string, files: readonly PageItem[]): Html {
  return html`<ul class="files" aria-label="Files">${files.map(({ id, name, sizeBytes, mimeType }) => {
    const file = `${base}/file/${id}`;
    return html`<li><span class="about"><a href="${file}?inline=1">${name}</a>
<span class="muted">${readableType(mimeType)}, ${readableSize(sizeBytes)}</span></span>
<a class="button quiet" href="${file}" download aria-label="Download ${name}">Download</a></li>`;
  })}</ul>`;
}

/** Metadata for link previews (https://ogp.me). */
function openGraph({ title, message }: FolderPage, url: string): Html {
  return html`<meta property="og:type" content="website">
<meta property="og:site_name" content="Posthouse">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${message ?? 'Shared files'}">
<meta property="og:url" content="${url}">
<meta name="twitter:card" content="summary">`;
}

/** Renders the page of a link that takes files and shows none. */
export function uploadOnlyPage({
  base,
  title,
  message,
}: Pick<FolderPage, 'base' | 'title' | 'message'>): Promise<Response> {
  return page({
    title,
    style: STYLE,
    scripts: [browserScript('send')],
    policy: { 'connect-src': "'self'" },
    headers: NOT_INDEXED,
    body: html`${BRAND}<h1>${title}</h1>
      ${message === null ? '' : html`<p class="message">${message}</p>`}
      ${sendForm(base, 'upload')}`,
  });
}

const AUDIENCE = {
  upload: 'Other visitors of this link do not see your files.',
  both: 'Everyone who has this link sees your files.',
};

function sendForm(base: string, access: 'upload' | 'both'): Html {
  return html`<form class="send" method="post" action="${base}/files" enctype="multipart/form-data"
${access === 'both' ? html`data-shown` : ''}>
<label for="uploaderName">Your name (optional)</label>
<input id="uploaderName" name="uploaderName" maxlength="100" autocomplete="name">
<label for="file">Files</label>
<input id="file" name="file" type="file" multiple required>
<p class="muted">${AUDIENCE[access]}</p>
<button type="submit">Send files</button>
</form>`;
}
