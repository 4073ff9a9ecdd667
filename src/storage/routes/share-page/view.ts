import { BRAND, breakable, type Html, html, page } from '../../../kernel/http/pages/page.ts';
import type { Language } from '../../../kernel/language.ts';
import { readableSize } from '../../../text/readable-size.ts';
import { shownName } from '../../../text/shown-name.ts';
import { type TextFormat, textFormat } from '../../../text/text-format.ts';
import type { RenditionKind } from '../../tree/files/file.ts';
import { browserScript } from '../browser-script.ts';
import { NOT_INDEXED } from './dead-link.ts';
import { formatType, time } from './formats.ts';
import { type Preview, TEXT_SHOWN } from './preview.ts';
import { STYLE, TEXT_STYLE } from './style.ts';
import { textsOf } from './texts.ts';

/** A file as displayed on its page. */
export interface PageFile {
  language: Language;
  name: string;
  sizeBytes: number;
  mimeType: string;
  /** Milliseconds since the Unix epoch. */
  dateModified: number;
  /** Milliseconds since the Unix epoch; null = the link does not expire. */
  expiresAt: number | null;
  /** Name of the sender; null = not shown. */
  sharedBy: string | null;
  preview: Preview | null;
  /** Whether the server could not render the picture. Browsers may show a part of it. */
  isDamaged: boolean;
  /** Path of the bytes under the UI token. */
  mediaPath: string;
  /** Absolute addresses for link previews; null = the file requires a secret. */
  openGraph: { pageUrl: string; thumbnailUrl: string | null } | null;
}

/**
 * Sources that only this page adds to the policy: the file itself, from here, as a picture, a recording or a
 * document.
 */
const POLICY = { 'img-src': "'self'", 'media-src': "'self'", 'object-src': "'self'", 'frame-src': "'self'" };

/** Policies and styles of pages with a script; those of PDF files and texts load further scripts and workers. */
const SCRIPTS = {
  media: { policy: POLICY, style: STYLE },
  pdf: {
    policy: { ...POLICY, 'script-src': "'self'", 'connect-src': "'self'", 'font-src': "'self'" },
    style: STYLE,
  },
  text: { policy: { ...POLICY, 'script-src': "'self'" }, style: STYLE + TEXT_STYLE },
};

/** Renders the page of an unlocked file. */
export async function filePage(file: PageFile): Promise<Response> {
  const { language } = file;
  const texts = textsOf(language);
  const script = scriptOf(file);
  return await page({
    language,
    title: file.name,
    width: 'wide',
    ...(script ? SCRIPTS[script] : { policy: POLICY, style: STYLE }),
    scripts: script ? [await browserScript(script)] : [],
    headers: NOT_INDEXED,
    head: file.openGraph ? openGraph(file, file.openGraph) : undefined,
    body: html`
      ${BRAND}
      <article class="file">
        <h1>${breakable(file.name)}</h1>
        ${file.sharedBy !== null && html`<p class="muted">${texts.sharedBy(shownName(file.sharedBy))}</p>`}
        ${figure(file)}
        <dl>
          <dt>${texts.size}</dt><dd>${readableSize(file.sizeBytes, language)}</dd>
          <dt>${texts.type}</dt><dd title="${file.mimeType}">${formatType(file.mimeType, language)}</dd>
          <dt>${texts.changed}</dt><dd>${time(file.dateModified, language)}</dd>
          ${file.expiresAt !== null && html`<dt>${texts.availableUntil}</dt><dd>${time(file.expiresAt, language)}</dd>`}
        </dl>
        <p class="row">
          <a class="button" href="${file.mediaPath}" download>${texts.download}</a>
          ${
            isPdf(file.preview) &&
            html`<a class="button quiet" href="${file.mediaPath}?inline=1">${texts.openInBrowser}</a>`
          }
        </p>
      </article>
      `,
  });
}

/** Returns the preview of a file, with the notice that is shown in its place where it fails. */
function figure(file: PageFile): Html | '' {
  const { isDamaged } = file;
  const texts = textsOf(file.language);
  if (!file.preview)
    return isDamaged ? html`<figure><p class="notice">${texts.failedPicture}</p></figure>` : '';
  const isPicture = file.preview.kind !== 'video' && file.preview.kind !== 'audio';
  const failure =
    scriptOf(file) === 'media' &&
    html`<p class="notice" hidden>${isPicture ? texts.failedPicture : texts.failed}</p>
      ${isPicture && isDamaged && html`<noscript><p class="notice">${texts.damagedPicture}</p></noscript>`}`;
  return html`<figure>${preview(file, file.preview)}${failure}</figure>`;
}

function isPdf(preview: Preview | null): boolean {
  return preview?.kind === 'pdf' || preview?.kind === 'locked' || preview?.kind === 'failedPdf';
}

/** Returns the script of the page of a file; null = it has none. */
function scriptOf(file: PageFile): keyof typeof SCRIPTS | null {
  switch (file.preview?.kind) {
    case undefined:
    case 'locked':
      return null;
    case 'pdf':
    case 'failedPdf':
      return 'pdf';
    case 'text':
      return textFormat(file) ? 'text' : null;
    default:
      return 'media';
  }
}

function preview(file: PageFile, shown: Preview): Html {
  const texts = textsOf(file.language);
  const bytes = `${file.mediaPath}?inline=1`;
  switch (shown.kind) {
    case 'image':
      return html`<img src="${bytes}" alt="${shownName(file.name)}"${
        file.mimeType !== 'image/svg+xml' && html` data-thumbnail="${file.mediaPath}?thumbnail=1"`
      }>`;
    case 'thumbnail':
    case 'preview':
      return rendition(file, shown.kind);
    case 'video':
      return html`<video src="${bytes}" controls playsinline preload="metadata"></video>`;
    case 'audio':
      return html`<audio src="${bytes}" controls preload="metadata"></audio>`;
    case 'pdf':
      return html`<object data="${bytes}" aria-label="${previewLabel(file)}"${pdfData(file)} type="application/pdf">
        ${shown.picture && rendition(file, shown.picture)}
        <p class="notice">${shown.picture ? texts.firstPage : texts.noPdf}</p>
      </object>`;
    case 'failedPdf':
      return html`<p class="notice"${pdfData(file)}>${texts.failedPdf}</p>`;
    case 'locked':
      return html`<p class="notice">${texts.lockedPdf}</p>`;
    case 'text':
      return html`<pre tabindex="0"${formatData(textFormat(file))}>\n${shown.text}</pre>${
        shown.isWhole
          ? ''
          : html`<figcaption class="muted">
              ${texts.firstPart(readableSize(TEXT_SHOWN, file.language))}
            </figcaption>`
      }`;
  }
}

/** For the script that draws the pages in place of the element. */
function pdfData(file: PageFile): Html {
  return html` data-pdf="${file.mediaPath}?inline=1" data-label="${previewLabel(file)}"`;
}

function previewLabel({ language, name }: PageFile): string {
  return textsOf(language).previewOf(shownName(name));
}

function formatData(format: TextFormat | null): Html | string {
  if (!format) return '';
  return html` data-kind="${format.kind}"${format.kind === 'code' && html` data-language="${format.language}"`}`;
}

function rendition(file: PageFile, kind: RenditionKind): Html {
  return html`<img src="${file.mediaPath}?${kind}=1" alt="${previewLabel(file)}">`;
}

/** Metadata for link previews (https://ogp.me). */
function openGraph(file: PageFile, { pageUrl, thumbnailUrl }: NonNullable<PageFile['openGraph']>): Html {
  const { language } = file;
  const image = thumbnailUrl
    ? html`<meta property="og:image" content="${thumbnailUrl}">
<meta property="og:image:type" content="image/webp">
<meta property="og:image:alt" content="${textsOf(language).previewOf(shownName(file.name))}">
<meta name="twitter:card" content="summary_large_image">`
    : html`<meta name="twitter:card" content="summary">`;
  const about = `${readableSize(file.sizeBytes, language)}, ${formatType(file.mimeType, language)}`;
  return html`<meta property="og:type" content="website">
<meta property="og:site_name" content="Posthouse">
<meta property="og:title" content="${shownName(file.name)}">
<meta property="og:description" content="${about}">
<meta property="og:url" content="${pageUrl}">
${image}`;
}
