import { BRAND, breakable, type Html, html, nameOf, page } from '../../../kernel/http/pages/page.ts';
import type { Language } from '../../../kernel/language.ts';
import { readableSize } from '../../../text/readable-size.ts';
import { shownName } from '../../../text/shown-name.ts';
import type { NamedFolder } from '../../links/content.ts';
import { browserScript } from '../browser-script.ts';
import { NOT_INDEXED } from '../share-page/dead-link.ts';
import { formatType, time } from '../share-page/formats.ts';
import { shapeClass } from './shapes.ts';
import { STYLE } from './style.ts';
import { textsOf } from './texts.ts';

/** A file as displayed on the page. */
export interface PageItem {
  id: string;
  name: string;
  sizeBytes: number;
  mimeType: string;
  /** Bytes that the viewer shows: the picture or a rendition; null = not a picture. */
  picture: 'image' | 'thumbnail' | 'preview' | null;
  /** The rendition in the gallery. */
  tile: 'thumbnail' | 'preview';
  /** Whether this is a picture that the server could not render. */
  isFailed: boolean;
  /** Pixels of a picture, upright; null = not known. */
  size: { width: number; height: number } | null;
}

/** The content of a link as displayed on its page. */
export interface FolderPage {
  language: Language;
  /** Path of the page of the link, without a slash at the end. */
  base: string;
  title: string;
  message: string | null;
  /** Milliseconds since the Unix epoch; null = the link does not expire. */
  expiresAt: number | null;
  /** Folders from the shared one down to the one displayed; empty for chosen files. */
  path: readonly NamedFolder[];
  folders: readonly NamedFolder[];
  items: readonly PageItem[];
  /** Visitors may send files into the shared folder. */
  takesFiles: boolean;
  /** The limit of the files that visitors may send is reached. */
  isFull: boolean;
  /** Number of files that are left out. */
  hidden: number;
  /** Address of the next page of folders or files; null = this is the last one. */
  next: string | null;
  /** Absolute address for link previews; null = the link has a password. */
  url: string | null;
}

/** Sources that only this page adds to the policy: its pictures, and the requests of its script. */
const POLICY = { 'img-src': "'self'", 'connect-src': "'self'" };

const FOLDER_ICON = html`<svg width="24" height="24" viewBox="0 0 24 24" aria-hidden="true">
<path d="M3 6.5V18h18V8h-9.5l-2-2.5H3z" fill="none" stroke="currentColor" stroke-width="1.6"
stroke-linejoin="round"/></svg>`;

const DOWNLOAD_ICON = html`<svg width="20" height="20" viewBox="0 0 24 24" aria-hidden="true">
<path d="M12 4v11m-5-5 5 5 5-5M4 20h16" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"
stroke-linejoin="round"/></svg>`;

/** Renders the page of an opened link: folders, a gallery of the pictures, and a list of the other files. */
export async function folderPage(shown: FolderPage): Promise<Response> {
  const { language, title, message, items, next, takesFiles } = shown;
  const below = openFolder(shown);
  const name = below?.name ?? title;
  const pictures = items.filter(({ picture }) => picture !== null);
  const others = items.filter(({ picture }) => picture === null);
  const sends = takesFiles && !below;
  const texts = textsOf(language);
  return await page({
    language,
    title: name,
    width: 'wide',
    style: STYLE,
    scripts: await Promise.all([
      ...(items.some(isViewed) ? [browserScript('gallery')] : []),
      ...(sends && !shown.isFull ? [browserScript('send')] : []),
    ]),
    policy: POLICY,
    headers: NOT_INDEXED,
    head: shown.url === null ? undefined : openGraph(shown, shown.url),
    body: html`
      ${BRAND}
      ${below ? trail(shown) : ''}
      <h1>${breakable(name)}</h1>
      ${message !== null && !below ? html`<p class="message">${message}</p>` : ''}
      ${bar(shown)}
      ${isEmpty(shown) ? html`<p class="notice">${texts.empty}</p>` : ''}
      ${folderList(shown)}
      ${gallery(shown, pictures)}
      ${fileList(shown, others)}
      ${next === null ? '' : html`<p><a class="button quiet" href="${next}" rel="next">${texts.nextPage}</a></p>`}
      ${sends ? html`<h2>${texts.sendFiles}</h2>${sendForm(shown, 'both')}` : ''}
      `,
  });
}

/** Reports whether the viewer shows a file. */
function isViewed({ picture, isFailed }: PageItem): boolean {
  return picture !== null || isFailed;
}

/** Returns the folder that is shown below the shared one. */
function openFolder({ path }: FolderPage) {
  return path.length > 1 ? path.at(-1) : undefined;
}

function isEmpty({ folders, items }: FolderPage): boolean {
  return folders.length + items.length === 0;
}

function bar(shown: FolderPage): Html {
  const { language, base, expiresAt, hidden } = shown;
  const texts = textsOf(language);
  const below = openFolder(shown);
  const zip = `${base}/export${below ? `/${below.id}` : ''}`;
  const note = (text: string | Html) => html`<span class="muted">${text}</span>`;
  return html`<p class="row bar">
        ${isEmpty(shown) ? '' : html`<a class="button" href="${zip}" download>${texts.downloadAll}</a>`}
        ${expiresAt === null ? '' : note(html`${texts.availableUntil} ${time(expiresAt, language)}`)}
        ${hidden === 0 ? '' : note(hidden === 1 ? texts.oneHidden : texts.hidden(hidden))}
      </p>`;
}

function trail({ language, base, title, path }: FolderPage): Html {
  const above = path.slice(0, -1);
  return html`<nav class="trail" aria-label="${textsOf(language).foldersAbove}"><ol>${above.map(
    ({ id, name }, index) =>
      index === 0
        ? html`<li><a href="${base}">${nameOf(title)}</a></li>`
        : html`<li><a href="${base}/${id}">${nameOf(name)}</a></li>`,
  )}</ol></nav>`;
}

/** Returns nothing for an empty list. */
function list(className: string, label: string, items: readonly Html[]): Html | '' {
  return items.length > 0 ? html`<ul class="${className}" aria-label="${label}">${items}</ul>` : '';
}

function folderList({ language, base, folders }: FolderPage): Html | '' {
  const items = folders.map(
    ({ id, name }) => html`<li><a href="${base}/${id}">${FOLDER_ICON}<span>${nameOf(name)}</span></a></li>`,
  );
  return list('folders', textsOf(language).folders, items);
}

function gallery({ language, base }: FolderPage, pictures: readonly PageItem[]): Html | '' {
  const items = pictures.map(({ id, name, picture, tile, size }) => {
    const shown = `${base}/${tile}/${id}`;
    const file = `${base}/file/${id}`;
    const view = picture === 'image' ? `${file}?inline=1` : `${base}/${picture}/${id}`;
    return html`<li class="${shapeClass(size)}"><a href="${view}" data-id="${id}" data-file="${file}"
><img src="${shown}" alt="${shownName(name)}"
${size ? html`width="${size.width}" height="${size.height}"` : ''} loading="lazy" decoding="async"></a></li>`;
  });
  return list('gallery', textsOf(language).pictures, items);
}

function fileList({ language, base }: FolderPage, files: readonly PageItem[]): Html | '' {
  const texts = textsOf(language);
  const items = files.map(({ id, name, sizeBytes, mimeType, isFailed }) => {
    const file = `${base}/file/${id}`;
    const view = `${file}?inline=1`;
    const link = isFailed
      ? html`href="${file}" download data-id="${id}" data-view="${view}"`
      : html`href="${view}"`;
    return html`<li><span class="about"><a ${link}>${breakable(name)}</a>
<span class="muted">${formatType(mimeType, language)}, ${readableSize(sizeBytes, language)}</span>
${isFailed && html`<span class="muted">${texts.failedPicture}</span>`}</span>
<a class="button quiet" href="${file}" download aria-label="${texts.downloadNamed(shownName(name))}"
 title="${texts.download}">${DOWNLOAD_ICON}</a></li>`;
  });
  return list('files', texts.files, items);
}

/** Metadata for link previews (https://ogp.me). */
function openGraph({ language, title, message }: FolderPage, url: string): Html {
  return html`<meta property="og:type" content="website">
<meta property="og:site_name" content="Posthouse">
<meta property="og:title" content="${shownName(title)}">
<meta property="og:description" content="${message ?? textsOf(language).sharedFiles}">
<meta property="og:url" content="${url}">
<meta name="twitter:card" content="summary">`;
}

/** Renders the page of a link that accepts files and shows none. */
export async function uploadOnlyPage(
  shown: Pick<FolderPage, 'language' | 'base' | 'title' | 'message' | 'isFull'>,
): Promise<Response> {
  const { language, title, message } = shown;
  return await page({
    language,
    title,
    style: STYLE,
    scripts: shown.isFull ? [] : [await browserScript('send')],
    policy: { 'connect-src': "'self'" },
    headers: NOT_INDEXED,
    body: html`${BRAND}<h1>${nameOf(title)}</h1>
      ${message === null ? '' : html`<p class="message">${message}</p>`}
      ${sendForm(shown, 'upload')}`,
  });
}

function sendForm(
  { language, base, isFull }: Pick<FolderPage, 'language' | 'base' | 'isFull'>,
  access: 'upload' | 'both',
): Html {
  const texts = textsOf(language);
  if (isFull) return html`<p class="notice">${texts.full}</p>`;
  return html`<form class="send" method="post" action="${base}/files" enctype="multipart/form-data"
${access === 'both' ? html`data-shown` : ''}>
<label for="uploaderName">${texts.yourName}</label>
<input id="uploaderName" name="uploaderName" maxlength="100" autocomplete="name">
<label for="file">${texts.files}</label>
<input id="file" name="file" type="file" multiple required>
<p class="muted">${texts.audience[access]}</p>
<button type="submit">${texts.sendFiles}</button>
</form>`;
}
